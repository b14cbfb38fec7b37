/**
 * Addresses that a user's request must not reach, whatever name it uses: loopback, link-local, multicast and reserved
 * ones, and the metadata services of clouds, which hand out credentials. Pure.
 */

interface Range {
  readonly prefix: string;
  readonly bits: number;
  readonly what: string;
}

/** If one range contains another, the narrower one is listed first. */
const REFUSED: readonly Range[] = [
  { prefix: '0.0.0.0', bits: 8, what: 'an address of this machine' },
  { prefix: '100.100.100.200', bits: 32, what: 'a metadata service' },
  { prefix: '127.0.0.0', bits: 8, what: 'a loopback address' },
  { prefix: '168.63.129.16', bits: 32, what: 'a metadata service' },
  { prefix: '169.254.169.254', bits: 32, what: 'a metadata service' },
  { prefix: '169.254.0.0', bits: 16, what: 'a link-local address' },
  { prefix: '192.0.0.192', bits: 32, what: 'a metadata service' },
  { prefix: '224.0.0.0', bits: 4, what: 'a multicast address' },
  { prefix: '240.0.0.0', bits: 4, what: 'a reserved address' },
  { prefix: '::', bits: 128, what: 'an address of this machine' },
  { prefix: '::1', bits: 128, what: 'a loopback address' },
  { prefix: 'fd00:42::42', bits: 128, what: 'a metadata service' },
  { prefix: 'fd00:c1::a9fe:a9fe', bits: 128, what: 'a metadata service' },
  { prefix: 'fd00:ec2::', bits: 32, what: 'a metadata service' },
  { prefix: 'fd20:ce::254', bits: 128, what: 'a metadata service' },
  { prefix: 'fe80::', bits: 10, what: 'a link-local address' },
  { prefix: 'ff00::', bits: 8, what: 'a multicast address' },
];

/** IPv6 ranges with embedded IPv4 addresses; `at` is the offset of the first byte of the IPv4 address. */
const EMBEDDING: readonly {
  readonly prefix: string;
  readonly bits: number;
  readonly at: number;
}[] = [
  { prefix: '::ffff:0:0', bits: 96, at: 12 },
  { prefix: '::ffff:0:0:0', bits: 96, at: 12 },
  { prefix: '64:ff9b::', bits: 96, at: 12 },
  { prefix: '64:ff9b:1::', bits: 48, at: 12 },
  { prefix: '2002::', bits: 16, at: 2 },
  { prefix: '::', bits: 96, at: 12 },
];

/** The kind of the refused address, as a noun phrase; null: the address is allowed. */
export function whyRefusedAddress(address: string): string | null {
  const bytes = addressBytes(address);
  return bytes === null ? 'no IP address' : whyRefusedBytes(bytes);
}

/**
 * The 4 or 16 bytes of an IP address; null: the text is not one. A zone ("%eth0") is ignored. A leading zero is
 * refused, since resolvers read such a number as octal.
 */
export function addressBytes(address: string): readonly number[] | null {
  if (/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/u.test(address)) {
    const bytes = address.split('.').map(Number);
    return bytes.every((byte) => byte <= 255) ? bytes : null;
  }
  const [text = ''] = address.split('%');
  return text.includes(':') ? bytesOfSix(text) : null;
}

/** Whether the first `bits` bits of both addresses are equal; false if one is IPv4 and the other IPv6. */
export function isInRange(
  bytes: readonly number[],
  prefix: readonly number[],
  bits: number,
): boolean {
  if (bytes.length !== prefix.length) return false;
  return bytes.every((byte, index) => {
    const counted = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - counted)) & 0xff;
    return (byte & mask) === ((prefix[index] ?? 0) & mask);
  });
}

function whyRefusedBytes(bytes: readonly number[]): string | null {
  const found = REFUSED.find(({ prefix, bits }) => isIn(bytes, prefix, bits));
  if (found !== undefined) return found.what;
  const embedding = EMBEDDING.find(({ prefix, bits }) => isIn(bytes, prefix, bits));
  if (embedding === undefined) return null;
  return whyRefusedBytes(bytes.slice(embedding.at, embedding.at + 4));
}

function isIn(bytes: readonly number[], prefix: string, bits: number): boolean {
  const known = addressBytes(prefix);
  return known !== null && isInRange(bytes, known, bits);
}

/**
 * The 16 bytes of an IPv6 address. Uses the URL parser, which normalizes every spelling to hexadecimal groups and at
 * most one "::".
 */
function bytesOfSix(text: string): readonly number[] | null {
  const url = `http://[${text}]`;
  if (!URL.canParse(url)) return null;
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const missing = Array<number>(8 - first.length - last.length).fill(0);
  const groups = [...first, ...missing, ...last];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
