/**
 * The forms in which a secret value may appear (ENG-S2): unchanged, in base64 (even inside of a longer base64 text), in
 * hexadecimal, as a part of a URL, of JSON, and line by line. Part of the shim: uses nothing that QuickJS lacks.
 */

/**
 * Minimum length of a secret, UTF-16 units. Shorter values ("1", "yes", "dev") are hardly secret, and masking them
 * would damage every text and so reveal them.
 */
const SECRET_LENGTH_MIN = 4;

/** Minimum number of characters of base64 inside a longer text: fewer would match by chance. */
const INNER_LENGTH_MIN = 8;

/** Minimum length in bytes of a secret in hexadecimal: a shorter one would match numbers by chance. */
const HEX_BYTES_MIN = 8;

/** A line without spaces in a multi-line secret, such as a private key: it is masked separately. */
const SECRET_LINE = /^[\w+/=.-]{16,}$/;

/** Maximum length of a secret, UTF-16 units: a longer one is searched for only in its unchanged form. */
const ENCODED_LENGTH_MAX = 16_384;

/**
 * The forms of all secrets, longest first. Of two forms with the same start, the shorter one must not be masked first,
 * since the rest of the longer one would stay visible.
 */
export function secretForms(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of [...secrets].flatMap((one) => withoutLineEnd(one))) {
    if (secret.length < SECRET_LENGTH_MIN) continue;
    forms.add(secret);
    if (secret.length > ENCODED_LENGTH_MAX) continue;
    for (const form of knownForms(secret)) forms.add(form);
  }
  return [...forms].toSorted((a, b) => b.length - a.length);
}

/** The value with and without its last line end: a value from a file may have one, which programs omit. */
function withoutLineEnd(secret: string): readonly string[] {
  return secret.endsWith('\n') ? [secret, secret.replace(/\r?\n$/, '')] : [secret];
}

/** Cached, since an environment has the same secrets for every hook. */
const made = new Map<string, readonly string[]>();
const madeMax = 256;

function knownForms(secret: string): readonly string[] {
  const known = made.get(secret);
  if (known !== undefined) return known;
  const forms = encodedForms(secret);
  if (made.size < madeMax) made.set(secret, forms);
  return forms;
}

function encodedForms(secret: string): string[] {
  const lines = secret.includes('\n')
    ? secret.split(/\r?\n/).filter((line) => SECRET_LINE.test(line))
    : [];
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [...base64Forms(secret), ...hexForms(secret), percentEncoded(secret), escaped, ...lines];
}

/**
 * The base64 of a secret for each of its three offsets in a group of three bytes: only the characters that depend on
 * the secret alone.
 * Worked example: "hunter22" is aHVudGVyMjI= itself, h1bnRlcjIy inside of base64("xhunter22") and odW50ZXIyM of
 * "xxhunter22".
 */
export function base64Forms(secret: string): string[] {
  if (secret.length > ENCODED_LENGTH_MAX) return [];
  const bytes = utf8(secret);
  const whole = base64(bytes);
  const inner = [0, 1, 2].map((offset) => {
    const first = Math.ceil((offset * BYTE_BITS) / CHARACTER_BITS);
    const last = Math.floor(((offset + bytes.length) * BYTE_BITS) / CHARACTER_BITS);
    return base64([...[0, 0].slice(0, offset), ...bytes]).slice(first, last);
  });
  const forms = [whole, ...inner.filter((form) => form.length >= INNER_LENGTH_MIN)];
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/**
 * The hexadecimal digits of a secret in lower case and in upper case, without separators; none if the secret is too
 * short or too long.
 */
export function hexForms(secret: string): string[] {
  if (secret.length > ENCODED_LENGTH_MAX) return [];
  const bytes = utf8(secret);
  if (bytes.length < HEX_BYTES_MIN) return [];
  const lower = bytes
    .map((byte) => (byte < HEX_BASE ? '0' : '') + byte.toString(HEX_BASE))
    .join('');
  return [lower, lower.toUpperCase()];
}

const HEX_BASE = 16;
const BYTE_BITS = 8;
const CHARACTER_BITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 without padding, so that it also matches a text without padding. */
function base64(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3);
    const group = a * 65_536 + b * 256 + c;
    for (const divisor of [262_144, 4_096, 64, 1]) {
      text += ALPHABET[Math.floor(group / divisor) % ALPHABET.length] ?? '';
    }
  }
  return text.slice(0, Math.ceil((bytes.length * BYTE_BITS) / CHARACTER_BITS));
}

/** Implemented here: the shim has neither Buffer nor TextEncoder. */
function utf8(text: string): number[] {
  const escaped = percentEncoded(text);
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at += 1) {
    if (escaped[at] === '%') {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16));
      at += 2;
    } else {
      bytes.push(escaped.codePointAt(at) ?? 0);
    }
  }
  return bytes;
}

/** Percent-encoded as in a URL. U+FFFD replaces a lone surrogate, which has no bytes in UTF-8. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD'));
  }
}
