// Whether bytes are UTF-8 (The Unicode Standard, table 3-7): what is not would stand in other bytes once it was read as text.

export function isUtf8(from: usize, length: u32): bool {
  const end = from + length;
  let at = from;
  while (at < end) {
    const first = load<u8>(at++);
    if (first < 0x80) continue;
    const more: u32 = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
    if (more == 0 || end - at < more) return false;
    const second = load<u8>(at);
    // Longer forms than needed, surrogates, and what is beyond the last character.
    const least: u32 = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const most: u32 = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return false;
    for (let i: u32 = 1; i < more; i++) if ((load<u8>(at + i) & 0xc0) != 0x80) return false;
    at += more;
  }
  return true;
}
