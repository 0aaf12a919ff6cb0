#include "host.hpp"

using host::s32, host::u32, host::u8;

enum : u8 { PUSH, ADD, SUB, MUL, AND, OR, XOR, SHL, NEG, DUP, SWAP, OVER, JUMP_IF, HALT };

struct Result {
  u32 value;
  s32 count;
};

/** A byte-code program, and what it computes written in C++ (with how many operations it takes). */
struct Entry {
  std::vector<u8> code;
  Result (*meaning)(u32);
};

static const std::vector<Entry> programs = {
    {{DUP, MUL, PUSH, 7, SUB, HALT}, [](u32 x) { return Result{x * x - 7, 5}; }},
    // n p -> n-1 p*n, until n is 0: eight operations a turn, the jump goes back over all ten bytes of them
    {{PUSH, 1, OVER, MUL, SWAP, PUSH, 1, SUB, SWAP, OVER, JUMP_IF, static_cast<u8>(-10), HALT},
     [](u32 x) {
       u32 product = 1;
       for (u32 i = x; i != 0; i--) product *= i;
       return Result{product, static_cast<s32>(1 + 8 * x + 1)};
     }},
    // x x x<<3 -> x (x ^ x<<3) -> (x ^ x<<3) | (x & 12)
    {{DUP, DUP, PUSH, 3, SHL, XOR, SWAP, PUSH, 12, AND, OR, HALT}, [](u32 x) { return Result{(x ^ x << 3) | (x & 12), 10}; }},
    {{NEG, PUSH, 100, SUB, NEG, PUSH, 0xff, ADD, HALT}, [](u32 x) { return Result{x + 100 - 1, 7}; }},
    {{DUP, 200, HALT}, [](u32) { return Result{0xffffffff, 2}; }},  // no such operation
};

int main() {
  const int n = 96;
  host::Random random(27);
  std::vector<u8> code;
  std::vector<s32> offsets, starts(n), inputs(n), counts(n);
  std::vector<u32> results(n), operations(n), a(n), b(n), dispatched(n);
  for (auto& p : programs) {
    offsets.push_back(static_cast<s32>(code.size()));
    code.insert(code.end(), p.code.begin(), p.code.end());
  }
  for (int i = 0; i < n; i++) {
    u32 which = i < 64 ? random.below(static_cast<u32>(programs.size())) : 1;
    starts[i] = offsets[which];
    inputs[i] = which == 1 ? 1 + static_cast<s32>(random.below(12)) : static_cast<s32>(random.next());
    Result result = programs[which].meaning(static_cast<u32>(inputs[i]));
    results[i] = result.value;
    counts[i] = result.count;
    operations[i] = i % 7 == 6 ? random.next() | 0x80000000 : random.below(6);
    a[i] = random.next();
    b[i] = random.next();
    u32 meanings[4] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] & b[i]};
    dispatched[i] = operations[i] < 4 ? meanings[operations[i]] : 0xffffffff;
  }
  host::Program program;
  program.input("code", code);
  program.input("starts", starts);
  program.input("inputs", inputs);
  program.input("operations", operations);
  program.input("a", a);
  program.input("b", b);
  program.zeros<u32>("results", n);
  program.zeros<s32>("counts", n);
  program.zeros<u32>("dispatched", n);
  using host::buffer;
  program.launch("interpret", {3}, {32}, {buffer("code"), buffer("starts"), buffer("inputs"), buffer("results"), buffer("counts")});
  program.launch("dispatch", {3}, {32}, {buffer("operations"), buffer("a"), buffer("b"), buffer("dispatched")});
  program.expect("results", results);
  program.expect("counts", counts);
  program.expect("dispatched", dispatched);
  return program.write();
}
