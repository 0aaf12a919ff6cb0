// A stack machine with one-byte operations; lane i runs the program at code + starts[i] on its own stack.

enum Operation : unsigned char { PUSH, ADD, SUB, MUL, AND, OR, XOR, SHL, NEG, DUP, SWAP, OVER, JUMP_IF, HALT };

extern "C" __global__ void interpret(const unsigned char* code, const int* starts, const int* inputs, int* results, int* counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char* program = code + starts[i];
  int stack[12], top = 0, pc = 0, count = 0;
  stack[0] = inputs[i];
  bool running = true;
  while (running) {
    count++;
    switch (program[pc++]) {
      case PUSH: stack[++top] = static_cast<signed char>(program[pc++]); break;
      case ADD: top--, stack[top] += stack[top + 1]; break;
      case SUB: top--, stack[top] -= stack[top + 1]; break;
      case MUL: top--, stack[top] *= stack[top + 1]; break;
      case AND: top--, stack[top] &= stack[top + 1]; break;
      case OR: top--, stack[top] |= stack[top + 1]; break;
      case XOR: top--, stack[top] ^= stack[top + 1]; break;
      case SHL: top--, stack[top] <<= stack[top + 1] & 31; break;
      case NEG: stack[top] = -stack[top]; break;
      case DUP: stack[top + 1] = stack[top], top++; break;
      case SWAP: {
        int below = stack[top - 1];
        stack[top - 1] = stack[top];
        stack[top] = below;
        break;
      }
      case OVER: stack[top + 1] = stack[top - 1], top++; break;
      case JUMP_IF: {
        int offset = static_cast<signed char>(program[pc++]);
        if (stack[top--] != 0) pc += offset;
        break;
      }
      case HALT: running = false; break;
      default: stack[top] = -1, running = false;
    }
  }
  results[i] = stack[top];
  counts[i] = count;
}

// One operation per thread through a jump table. nvcc 13 makes compare trees of switches, hence the assembly.
extern "C" __global__ void dispatch(const int* operations, const int* a, const int* b, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, result;
  asm("{\n\t"
      "targets: .branchtargets onAdd, onSub, onMul, onAnd, onDefault;\n\t"
      ".reg .u32 %%index;\n\t"
      "min.u32 %%index, %1, 4;\n\t"
      "brx.idx %%index, targets;\n"
      "onAdd: add.s32 %0, %2, %3;\n\t"
      "bra.uni done;\n"
      "onSub: sub.s32 %0, %2, %3;\n\t"
      "bra.uni done;\n"
      "onMul: mul.lo.s32 %0, %2, %3;\n\t"
      "bra.uni done;\n"
      "onAnd: and.b32 %0, %2, %3;\n\t"
      "bra.uni done;\n"
      "onDefault: mov.u32 %0, -1;\n"
      "done:\n\t"
      "}"
      : "=r"(result)
      : "r"(operations[i]), "r"(a[i]), "r"(b[i]));
  out[i] = result;
}
