// Structures on the device heap.

struct Node {
  int key;
  Node *left, *right;
};

__device__ Node* shared_list;

// Every thread builds a binary search tree of its own keys, walks it in order without recursion, and frees it.
extern "C" __global__ void treeSort(const int* in, int n, int* out) {
  const int* keys = in + threadIdx.x * n;
  int* sorted = out + threadIdx.x * n;
  Node* root = nullptr;
  for (int i = 0; i < n; i++) {
    Node** at = &root;
    while (*at) at = keys[i] < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = static_cast<Node*>(malloc(sizeof(Node)));
    if (*at == nullptr) return;
    **at = {keys[i], nullptr, nullptr};
  }
  int written = 0;
  while (root) {
    if (root->left) {  // rotate until the smallest is on top
      Node* pivot = root->left;
      root->left = pivot->right;
      pivot->right = root;
      root = pivot;
    } else {
      sorted[written++] = root->key;
      Node* next = root->right;
      free(root);
      root = next;
    }
  }
}

// One launch leaves a list behind, the next one adds it up and frees it.
extern "C" __global__ void build(int n) {
  for (int i = 0; i < n; i++) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->key = i * i;
    node->left = shared_list;
    shared_list = node;
  }
}

extern "C" __global__ void consume(int* sum, unsigned char* copy) {
  int total = 0;
  while (shared_list) {
    Node* node = shared_list;
    total += node->key;
    shared_list = node->left;
    free(node);
  }
  *sum = total;
  unsigned char* block = static_cast<unsigned char*>(malloc(100));
  memset(block, 0x5a, 100);
  memcpy(block + 10, &total, 4);
  memcpy(copy, block, 100);
  free(block);
  free(nullptr);
}
