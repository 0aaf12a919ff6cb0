// The host side of the test programs: collects a program's inputs, launches and expected outputs, and writes them as
// launch.json (the launch specification) and expected.json into the current folder.
//
// A program's host.cpp computes what its kernels must produce with ordinary C++ on the CPU, sharing no code with the
// .cu file. Compile with -ffp-contract=off: a fused multiply-add stands in the host code exactly where nvcc put one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace host {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

/** A binary16 value as its bits. */
struct f16 {
  u16 bits;
};

template <class T>
constexpr const char* typeName() {
  if constexpr (std::is_same_v<T, f16>) return "f16";
  else if constexpr (std::is_same_v<T, float>) return "f32";
  else if constexpr (std::is_same_v<T, double>) return "f64";
  else if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? "s8" : "u8";
  else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? "s16" : "u16";
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? "s32" : "u32";
  else return std::is_signed_v<T> ? "s64" : "u64";
}

/** xorshift32: the test inputs' source of numbers. */
struct Random {
  u32 state;
  explicit Random(u32 seed) : state(seed) {}
  u32 next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  u32 below(u32 n) { return next() % n; }
  /** A multiple of 2^-24 in [0, 1). */
  float unit() { return static_cast<float>(next() >> 8) * 0x1p-24f; }
};

/** How far a value may lie from the expected one; nothing set means bit for bit. */
struct Tolerance {
  double abs = 0;
  double rel = 0;
  int ulp = 0;
};

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

/** One kernel argument, already as JSON. */
struct Arg {
  std::string json;
};

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\') out += '\\', out += static_cast<char>(c);
    else if (c == '\n') out += "\\n";
    else if (c < 32 || c > 126) std::snprintf(escaped, sizeof escaped, "\\u%04x", c), out += escaped;
    else out += static_cast<char>(c);
  }
  return out + "\"";
}

inline std::string hexOf(const void* data, std::size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < bytes; i++) {
    u8 byte = static_cast<const u8*>(data)[i];
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

inline Arg argU32(u32 v) { return {"{ \"u32\": " + std::to_string(v) + " }"}; }
inline Arg argS32(s32 v) { return {"{ \"s32\": " + std::to_string(v) + " }"}; }
inline Arg argU64(u64 v) { return {"{ \"u64\": \"" + std::to_string(v) + "\" }"}; }
inline Arg argS64(s64 v) { return {"{ \"s64\": \"" + std::to_string(v) + "\" }"}; }
inline Arg argF32(float v) { return {"{ \"f32\": " + number(v) + " }"}; }
inline Arg argF64(double v) { return {"{ \"f64\": " + number(v) + " }"}; }
inline Arg buffer(const std::string& name, std::size_t offsetBytes = 0) {
  std::string offset = offsetBytes ? ", \"offset\": " + std::to_string(offsetBytes) : "";
  return {"{ \"buffer\": " + quoted(name) + offset + " }"};
}
inline Arg texture(const std::string& name) { return {"{ \"texture\": " + quoted(name) + " }"}; }
inline Arg surface(const std::string& name) { return {"{ \"surface\": " + quoted(name) + " }"}; }
inline Arg tensorMap(const std::string& name) { return {"{ \"tensorMap\": " + quoted(name) + " }"}; }
/** A parameter passed by value as raw bytes. T must have no padding that is left unset. */
template <class T>
Arg argBytes(const T& value) {
  return {"{ \"bytes\": \"" + hexOf(&value, sizeof value) + "\" }"};
}

class Program {
 public:
  /** A buffer that the kernels read (and may overwrite). */
  template <class T>
  void input(const std::string& name, const std::vector<T>& values) {
    buffers_.push_back(entry(name, contents(name + ".in", values)));
  }
  template <class T>
  void zeros(const std::string& name, std::size_t length) {
    buffers_.push_back(entry(name, described<T>(length) + " }"));
  }
  /** A buffer whose every element is `value`, a whole number. */
  template <class T>
  void fill(const std::string& name, std::size_t length, s64 value) {
    buffers_.push_back(entry(name, described<T>(length) + ", \"fill\": " + std::to_string(value) + " }"));
  }
  template <class T>
  void iota(const std::string& name, std::size_t length) {
    buffers_.push_back(entry(name, described<T>(length) + ", \"fill\": \"iota\" }"));
  }
  /** Writes a module-scope variable before the first launch. */
  template <class T>
  void symbol(const std::string& name, const std::vector<T>& values) {
    symbols_.push_back(entry(name, contents(name + ".in", values)));
  }
  /** An image of elements of type T: `shape` is its members but for format, channels and contents, as JSON. */
  template <class T>
  void image(const std::string& name, const std::string& shape, unsigned channels, const std::vector<T>& values) {
    std::string json = contents(name + ".in", values);
    std::string data = json.substr(json.find(json.rfind("{ \"file\"", 0) == 0 ? "\"file\"" : "\"hex\""));
    images_.push_back(entry(name, "{ " + shape + ", \"format\": " + quoted(typeName<T>()) + ", \"channels\": " +
                                      std::to_string(channels) + ", " + data));
  }
  /** `members` as JSON. */
  void texture(const std::string& name, const std::string& members) {
    textures_.push_back(entry(name, "{ " + members + " }"));
  }
  void surface(const std::string& name, const std::string& image) {
    surfaces_.push_back(entry(name, "{ \"image\": " + quoted(image) + " }"));
  }
  /** `members` as JSON. */
  void tensorMap(const std::string& name, const std::string& members) {
    tensorMaps_.push_back(entry(name, "{ " + members + " }"));
  }
  /** What an image holds at the end, every level. */
  template <class T>
  void expectImage(const std::string& name, const std::vector<T>& values) {
    outputs_.push_back("    " + quoted("image:" + name));
    expected_.push_back(entry("image:" + name, contents("image." + name, values)));
  }
  /** `cluster` is for kernels whose cluster size is set at launch; {0} leaves it out. */
  void launch(const std::string& kernel, Dim grid, Dim block, const std::vector<Arg>& args, unsigned sharedBytes = 0,
              Dim cluster = {0}, bool cooperative = false) {
    std::string json = "    { \"kernel\": " + quoted(kernel) + ", \"grid\": " + triple(grid) + ", \"block\": " + triple(block);
    if (cluster.x) json += ", \"cluster\": " + triple(cluster);
    if (sharedBytes) json += ", \"sharedBytes\": " + std::to_string(sharedBytes);
    if (cooperative) json += ", \"cooperative\": true";
    json += ",\n      \"args\": [";
    for (std::size_t i = 0; i < args.size(); i++) json += (i ? ", " : "") + args[i].json;
    launches_.push_back(json + "] }");
  }
  template <class T>
  void expect(const std::string& name, const std::vector<T>& values, Tolerance tolerance = {}) {
    outputs_.push_back("    " + quoted(name));
    std::string json = contents(name, values);
    expected_.push_back(entry(name, json.substr(0, json.size() - 2) + toleranceJson(tolerance) + " }"));
  }
  /** A module-scope variable's bytes; outputs show variables as b8. `name` is NAME or NAME@MODULE. */
  template <class T>
  void expectSymbol(const std::string& name, const std::vector<T>& values) {
    std::string bytes = hexOf(values.data(), values.size() * sizeof(T));
    outputs_.push_back("    " + quoted("symbol:" + name));
    expected_.push_back(entry("symbol:" + name, "{ \"type\": \"b8\", \"length\": " + std::to_string(bytes.size() / 2) +
                                                    ", \"hex\": \"" + bytes + "\" }"));
  }
  void print(const std::string& text) { printf_ += text; }

  /** Writes both files. The return value is main's. */
  int write() const {
    std::string launch = "{\n";
    if (!buffers_.empty()) launch += "  \"buffers\": {\n" + joined(buffers_) + "\n  },\n";
    if (!symbols_.empty()) launch += "  \"symbols\": {\n" + joined(symbols_) + "\n  },\n";
    for (const auto& [member, entries] : {std::pair{"images", &images_}, {"textures", &textures_}, {"surfaces", &surfaces_},
                                         {"tensorMaps", &tensorMaps_}})
      if (!entries->empty()) launch += "  " + quoted(member) + ": {\n" + joined(*entries) + "\n  },\n";
    launch += "  \"launches\": [\n" + joined(launches_) + "\n  ],\n  \"outputs\": [\n" + joined(outputs_) + "\n  ]\n}\n";
    std::string expected = "{\n  \"outputs\": {\n" + joined(expected_) + "\n  }";
    if (!printf_.empty()) expected += ",\n  \"printf\": " + quoted(printf_);
    save("launch.json", launch);
    save("expected.json", expected + "\n}\n");
    return 0;
  }

 private:
  static constexpr std::size_t inlineBytes = 4096;
  std::vector<std::string> buffers_, symbols_, images_, textures_, surfaces_, tensorMaps_, launches_, outputs_, expected_;
  std::string printf_;

  static std::string entry(const std::string& name, const std::string& json) { return "    " + quoted(name) + ": " + json; }
  template <class T>
  static std::string described(std::size_t length) {
    return std::string("{ \"type\": \"") + typeName<T>() + "\", \"length\": " + std::to_string(length);
  }
  static std::string triple(Dim d) {
    return "[" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + "]";
  }
  static std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (std::size_t i = 0; i < lines.size(); i++) out += (i ? ",\n" : "") + lines[i];
    return out;
  }
  static std::string toleranceJson(Tolerance t) {
    if (t.ulp) return ", \"tolerance\": { \"ulp\": " + std::to_string(t.ulp) + " }";
    if (t.abs || t.rel) return ", \"tolerance\": { \"abs\": " + number(t.abs) + ", \"rel\": " + number(t.rel) + " }";
    return "";
  }
  static void save(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    if (!file.flush()) std::fprintf(stderr, "cannot write %s\n", path.c_str()), std::exit(1);
  }
  /** Small arrays stand in the JSON, as numbers or as hex; larger ones beside it as .npy. */
  template <class T>
  static std::string contents(const std::string& file, const std::vector<T>& values) {
    std::size_t bytes = values.size() * sizeof(T);
    if (bytes > inlineBytes) {
      save(file + ".npy", npy(values));
      return "{ \"file\": " + quoted(file + ".npy") + " }";
    }
    return described<T>(values.size()) + ", \"hex\": \"" + hexOf(values.data(), bytes) + "\" }";
  }
  /** NumPy's format 1.0: magic, a header padded to 64 bytes, the elements. */
  template <class T>
  static std::string npy(const std::vector<T>& values) {
    char kind = std::is_same_v<T, f16> || std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    std::string header = std::string("{'descr': '") + (sizeof(T) == 1 ? '|' : '<') + kind + std::to_string(sizeof(T)) +
                         "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 255);
    out += static_cast<char>(header.size() >> 8);
    return out + header + std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
};

}  // namespace host
