/** CRC-32 (IEEE 802.3, as in zip and gzip) of a text whose every character is one byte. */
export function crc32(bytes: string): number {
  let crc = ALL_ONES;
  for (let index = 0; index < bytes.length; index += 1) {
    crc = (table[(crc ^ bytes.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ ALL_ONES) >>> 0;
}

const ALL_ONES = 0xffff_ffff;
const REVERSED_POLYNOMIAL = 0xedb8_8320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    crc = (crc & 1) === 1 ? (crc >>> 1) ^ REVERSED_POLYNOMIAL : crc >>> 1;
  }
  return crc;
});
