#include "host.hpp"

using host::u32, host::u64, host::u8;

/** The first 32 bits of the fractional part of a root of a prime, by integer bisection: where FIPS 180-4's constants come from. */
static u32 rootFraction(u32 prime, int degree) {
  u64 low = 0, high = u64{1} << 37;  // root * 2^32
  while (high - low > 1) {
    u64 middle = (low + high) / 2;
    unsigned __int128 power = middle;
    if (degree == 2) power = power * middle;
    else power = power * middle * middle;  // below 2^111
    if (power <= static_cast<unsigned __int128>(prime) << 32 * degree) low = middle;
    else high = middle;
  }
  return static_cast<u32>(low);
}

static std::vector<u32> sha256(std::vector<u8> message) {
  std::vector<u32> primes;
  for (u32 n = 2; primes.size() < 64; n++) {
    bool prime = true;
    for (u32 p : primes) prime = prime && n % p != 0;
    if (prime) primes.push_back(n);
  }
  std::vector<u32> hash(8);
  for (int i = 0; i < 8; i++) hash[i] = rootFraction(primes[i], 2);
  u64 bits = message.size() * 8;
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) message.push_back(static_cast<u8>(bits >> shift));
  for (std::size_t block = 0; block < message.size(); block += 64) {
    u32 w[64];
    for (int i = 0; i < 64; i++) {
      if (i < 16) {
        const u8* at = &message[block + i * 4];
        w[i] = u32{at[0]} << 24 | u32{at[1]} << 16 | u32{at[2]} << 8 | at[3];
      } else {
        u32 s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        u32 s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
    }
    auto [a, b, c, d, e, f, g, h] = std::array<u32, 8>{hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]};
    for (int i = 0; i < 64; i++) {
      u32 choice = (e & f) | (~e & g), majority = (a & b) | (a & c) | (b & c);
      u32 t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + rootFraction(primes[i], 3) + w[i];
      u32 t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    u32 last[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) hash[i] += last[i];
  }
  return hash;
}

int main() {
  const int n = 128;
  host::Random random(13);
  std::vector<u8> text(n);
  for (auto& c : text) c = static_cast<u8>(random.next());
  std::vector<u32> digests;
  for (int length = 0; length < n; length++)
    for (u32 word : sha256({text.begin(), text.begin() + length})) digests.push_back(word);
  host::Program program;
  program.input("text", text);
  program.zeros<u32>("digests", digests.size());
  program.launch("sha256", {2}, {64}, {host::buffer("text"), host::buffer("digests")});
  program.expect("digests", digests);
  return program.write();
}
