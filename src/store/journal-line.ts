/**
 * The journal's text. One line is one group commit: all values that became durable by the same sync.
 *
 *   {"v":1,"sum":"3610a686","batch":[{"type":"RunOpened",…},{"type":"AttemptStarted",…}]}
 *
 * So a crash during a write can damage only the last line. Damage in any other line affects acknowledged values: it is
 * reported, not skipped. The sum is the CRC-32 of the batch's text. Lines are pure ASCII: a character is a byte.
 */
import { LifehookError } from '../model/problem.ts';
import type { ByteText } from '../platform/platform.ts';

const VERSION = '1';
const LINE = /^\{"v":(\d+),"sum":"([0-9a-f]{8})","batch":(\[.*\])\}$/;

export function encodeValue(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line with its line end, of values from `encodeValue`. */
export function encodeLine(values: readonly string[]): ByteText {
  const batch = `[${values.join(',')}]`;
  return `{"v":${VERSION},"sum":"${sumOf(batch)}","batch":${batch}}\n`;
}

function sumOf(batch: string): string {
  return crc32(batch).toString(16).padStart(8, '0');
}

/**
 * All values of a journal, in order. An incomplete or damaged last line is left out, since it was never acknowledged.
 */
export function decodeJournal(content: ByteText, path: string): unknown[] {
  const lines = content.split('\n');
  // The text after the last line end: empty, or the start of a line that was never finished.
  lines.pop();
  return lines.flatMap((line, index) => {
    const batch = decodeLine(line, path);
    if (batch !== null) return batch;
    if (index === lines.length - 1) return [];
    throw damaged(path, index + 1);
  });
}

function decodeLine(line: string, path: string): unknown[] | null {
  const [, version, sum, batch] = LINE.exec(line) ?? [];
  if (version === undefined || sum === undefined || batch === undefined) return null;
  if (version !== VERSION) throw writtenByNewer(path, version);
  return sumOf(batch) === sum ? (JSON.parse(batch) as unknown[]) : null;
}

function damaged(file: string, line: number): LifehookError {
  return new LifehookError({
    code: 'LHE007',
    message: 'This line does not match its checksum: the journal is damaged.',
    at: { file, line, column: 1 },
    next:
      'Check the disk; then restore the file from a backup, or move it away to begin with an empty ' +
      'history (unfinished runs are then not resumed).',
  });
}

function writtenByNewer(file: string, version: string): LifehookError {
  return new LifehookError({
    code: 'LHE012',
    message: `${file} is a journal of version ${version}; this Lifehook reads version ${VERSION}.`,
    next: 'Use the newer Lifehook that wrote it, or another directory.',
  });
}

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
