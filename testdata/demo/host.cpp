// host.cpp: what the demo must compute, worked out on the CPU and independently: nothing is shared with the kernels but the
// order of the floating-point operations. Compile with -O1 -ffp-contract=off, so that only std::fmaf fuses.
//
//   host CAMERA_HEX BIAS > expected.json           (--picture in place of the JSON: the picture alone)
//
// CAMERA_HEX is the kernels' argument: thirteen floats (eye, right, up, forward, zoom), then width and height as u32.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Triple = std::array<float, 3>;

struct Thing {
    enum Kind { floor, ball, chest, ring } kind;
    Triple centre;
    std::array<float, 4> size;
    unsigned material;
};

static const std::vector<Thing> things = {
    {Thing::floor, {0, -1, 0}, {}, 0},
    {Thing::ball, {-1.1f, -0.1f, 0.3f}, {0.9f}, 1},
    {Thing::chest, {1.25f, -0.5f, 0.6f}, {0.5f, 0.35f, 0.45f, 0.1f}, 2},
    {Thing::ring, {0.3f, -0.2f, 1.9f}, {0.8f, 0.22f}, 3},
    {Thing::ball, {1.25f, 0.35f, 0.6f}, {0.3f}, 4},
};
static const unsigned evening = 5;
static const float albedo[6] = {0.62f, 0.95f, 0.50f, 0.80f, 0.30f, 0.00f};
static const float glow[6] = {0.00f, 0.04f, 0.02f, 0.06f, 0.85f, 0.34f};
static const char* const name[6] = {"marble", "pearl", "oak", "brass", "candle", "evening"};
static const float lamp[3][4] = {{-0.48f, 0.64f, -0.6f, 0.75f}, {0.6f, 0, -0.8f, 0.2f}, {0, 1, 0, 0.15f}};
static const float sky_curve[9] = {0.9f, 1.0f, 0.85f, 0.6f, 0.42f, 0.3f, 0.2f, 0.12f, 0.05f};
static const float haze_curve[9] = {1.0f, 1.0f, 1.0f, 0.95f, 0.85f, 0.7f, 0.5f, 0.3f, 0.1f};
static const float film_curve[9] = {0.0f, 0.08f, 0.2f, 0.34f, 0.5f, 0.66f, 0.8f, 0.92f, 1.0f};
static const float far_away = 12, touching = 0.004f;

static float inner(const Triple& a, const Triple& b) {
    float sum = a[0] * b[0];
    for (int i = 1; i < 3; ++i) sum = std::fmaf(a[i], b[i], sum);
    return sum;
}

static Triple go(const Triple& from, const Triple& way, float far) {
    Triple to;
    for (int i = 0; i < 3; ++i) to[i] = std::fmaf(way[i], far, from[i]);
    return to;
}

static Triple unit(Triple v) {
    float length = std::sqrt(inner(v, v));
    for (float& part : v) part = part / length;
    return v;
}

static float gap(const Thing& thing, const Triple& p) {
    Triple at;
    for (int i = 0; i < 3; ++i) at[i] = p[i] - thing.centre[i];
    switch (thing.kind) {
    case Thing::floor: return at[1];
    case Thing::ball: return std::sqrt(inner(at, at)) - thing.size[0];
    case Thing::chest: {
        Triple out;
        for (int i = 0; i < 3; ++i) {
            float past = std::fabs(at[i]) - thing.size[i];
            out[i] = past > 0 ? past : 0;
        }
        return std::sqrt(inner(out, out)) - thing.size[3];
    }
    case Thing::ring: {
        float round = std::sqrt(std::fmaf(at[1], at[1], at[0] * at[0])) - thing.size[0];
        return std::sqrt(std::fmaf(at[2], at[2], round * round)) - thing.size[1];
    }
    }
    std::abort();
}

static float curve(const float (&points)[9], float x) {
    if (x < 0) x = 0;
    if (x > 1) x = 1;
    float at = x * 8;
    int cell = (int)at;
    if (cell > 7) cell = 7;
    return std::fmaf(at - (float)cell, points[cell + 1] - points[cell], points[cell]);
}

static void entry(const char* name, const char* type, const void* bytes, size_t count, size_t width, bool last = false) {
    std::printf("    \"%s\": { \"type\": \"%s\", \"length\": %zu, \"hex\": \"", name, type, count);
    for (size_t i = 0; i < count * width; ++i) std::printf("%02x", ((const unsigned char*)bytes)[i]);
    std::printf("\" }%s\n", last ? "" : ",");
}

int main(int argc, char** argv) {
    if (argc < 3 || std::strlen(argv[1]) != 120) return 2;
    unsigned char raw[60];
    for (int i = 0; i < 60; ++i) raw[i] = (unsigned char)std::strtoul(std::string(argv[1] + 2 * i, 2).c_str(), nullptr, 16);
    float lens[13];
    uint32_t width, height;
    std::memcpy(lens, raw, 52);
    std::memcpy(&width, raw + 52, 4);
    std::memcpy(&height, raw + 56, 4);
    const float bias = std::strtof(argv[2], nullptr);
    const Triple eye = {lens[0], lens[1], lens[2]}, right = {lens[3], lens[4], lens[5]}, up = {lens[6], lens[7], lens[8]};
    const Triple ahead = {lens[9] * lens[12], lens[10] * lens[12], lens[11] * lens[12]};

    const uint32_t cells = width * height;
    std::vector<float> depth(cells), bright(cells);
    std::vector<uint32_t> touched(cells);
    uint32_t tallies[8] = {}, histogram[16] = {}, surfaces = 0;
    unsigned long steps = 0;
    std::vector<uint32_t> stepsOf(cells);

    for (uint32_t cell = 0; cell < cells; ++cell) {
        const uint32_t column = cell % width, row = cell / width;
        const float u = ((float)(2 * column + 1) - (float)width) / (float)(2 * height);
        const float v = ((float)height - (float)(2 * row + 1)) / (float)height;
        const Triple ray = unit(go(go(ahead, right, u), up, v));

        float travelled = 0, seen = -1;
        uint32_t which = 0;
        for (int step = 0; step < 24; ++step) {
            const Triple p = go(eye, ray, travelled);
            float best = far_away;
            for (uint32_t i = 0; i < things.size(); ++i) {
                const float distance = gap(things[i], p);
                if (distance < best) best = distance, which = i;
            }
            ++steps, ++stepsOf[cell];
            if (best < touching) {
                seen = travelled;
                break;
            }
            travelled += best;
            if (travelled > far_away) break;
        }
        depth[cell] = seen;
        touched[cell] = which;

        uint32_t material = evening;
        const float sky = glow[evening] * curve(sky_curve, std::fmaf(ray[1], 2.0f, 0.5f));
        bright[cell] = sky;
        if (seen >= 0) {
            const Thing& thing = things[which];
            material = thing.material;
            const Triple p = go(eye, ray, seen);
            Triple normal;
            for (int i = 0; i < 3; ++i) {
                Triple beside = p;
                beside[i] += touching;
                normal[i] = gap(thing, beside) - gap(thing, p);
            }
            normal = unit(normal);
            float paint = albedo[material];
            if (thing.kind == Thing::floor) paint *= (int)(std::floor(p[0]) + std::floor(p[2])) & 1 ? 0.35f : 1.0f;
            float light = 0;
            for (auto& l : lamp) {
                const float facing = inner(normal, {l[0], l[1], l[2]});
                light = std::fmaf(facing > 0 ? facing : 0, l[3], light);
            }
            const float clear = curve(haze_curve, seen / far_away);
            bright[cell] = std::fmaf(clear, std::fmaf(paint, light, glow[material]) - sky, sky);
            ++surfaces;
        }
        ++tallies[material];
        const float bin = bright[cell] * 16;
        ++histogram[bin >= 15 ? 15 : (int)bin];
    }

    uint32_t white = 0;
    for (uint32_t darker = histogram[0]; darker * 20 < cells * 19; darker += histogram[++white]) {}
    const float exposure = bias * 16 / (float)(white + 1);

    static const unsigned char bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    std::string picture;
    auto exposed = [&](int column, int row) {
        column = column < 0 ? 0 : column >= (int)width ? (int)width - 1 : column;
        row = row < 0 ? 0 : row >= (int)height ? (int)height - 1 : row;
        return bright[(uint32_t)row * width + (uint32_t)column] * exposure;
    };
    for (int row = 0; row < (int)height; ++row) {
        for (int column = 0; column < (int)width; ++column) {
            const float here = exposed(column, row);
            const float sides = exposed(column - 1, row) + exposed(column + 1, row);
            const float ends = exposed(column, row - 1) + exposed(column, row + 1);
            const float tone = curve(film_curve, std::fmaf(-0.15f, sides + ends, std::fmaf(0.6f, here, here)));
            const float threshold = ((float)bayer[row % 4][column % 4] + 0.5f) * 0.0625f;
            const int shade = (int)std::fmaf(tone, 9.0f, threshold);
            picture += " .:-=+*#%@"[shade > 9 ? 9 : shade];
        }
    }

    if (argc > 3) {
        for (uint32_t row = 0; row < height; ++row) std::printf("%s\n", picture.substr(row * width, width).c_str());
        unsigned long warp = 0; // what the marching costs: every warp of 8 x 4 cells goes on until its last lane is done
        for (uint32_t y = 0; y < height; y += 4)
            for (uint32_t x = 0; x < width; x += 8) {
                uint32_t most = 0;
                for (uint32_t i = 0; i < 32; ++i) {
                    const uint32_t n = stepsOf[(y + i / 8) * width + x + i % 8];
                    if (n > most) most = n;
                }
                warp += most;
            }
        std::fprintf(stderr, "%lu steps, %lu by warps; %u surfaces\n", steps, warp, surfaces);
        return 0;
    }
    std::printf("{\n  \"outputs\": {\n");
    entry("picture", "u8", picture.data(), cells, 1);
    entry("depth", "f32", depth.data(), cells, 4);
    entry("touched", "u32", touched.data(), cells, 4);
    entry("brightness", "f32", bright.data(), cells, 4);
    entry("symbol:tallies", "b8", tallies, 32, 1);
    entry("symbol:histogram", "b8", histogram, 64, 1);
    entry("symbol:exposure", "b8", &exposure, 4, 1);
    entry("symbol:asked@scene.ptx", "b8", &surfaces, 4, 1);
    entry("symbol:asked@tally.ptx", "b8", &cells, 4, 1, true);
    std::printf("  },\n  \"printf\": \"Still life in ASCII (20 letters)\\n");
    for (int i = 0; i < 6; ++i) std::printf("%8s %5u cells\\n", name[i], tallies[i]);
    std::printf("white is bin %u of 16, exposure %.5f\\n\"\n}\n", white, (double)exposure);
}
