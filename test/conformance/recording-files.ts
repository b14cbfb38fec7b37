/**
 * The recorded answers of the real server: one file per resource, one exchange per line. Most answers repeat the same
 * object, so a part that occurs again in a file is written as a number.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Json, JsonObject } from '../../src/kube/object.ts';
import type { Exchange, Recording } from './scenario.ts';

const FOLDER = join(import.meta.dirname, 'expected');

/** Shorter parts are not replaced by a number. */
const MIN_SHARED_LENGTH = 60;

const SAME = '$same';

export function writeRecordings(recordings: readonly Recording[]): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [file, each] of byFile(recordings)) {
    const parts = new SharedParts();
    const lines = each.flatMap(({ scenario, exchanges }) =>
      exchanges.map((exchange) =>
        JSON.stringify(parts.pack({ scenario, ...exchange } as unknown as Json)),
      ),
    );
    writeFileSync(join(FOLDER, file), `${lines.join('\n')}\n`);
  }
}

export function readRecordings(): ReadonlyMap<string, Recording> {
  const found = new Map<string, Exchange[]>();
  if (!existsSync(FOLDER)) return new Map();
  for (const file of readdirSync(FOLDER).toSorted()) {
    const parts = new SharedParts();
    for (const line of readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')) {
      const { scenario, ...exchange } = parts.unpack(JSON.parse(line) as Json) as JsonObject;
      const name = typeof scenario === 'string' ? scenario : '';
      found.set(name, [...(found.get(name) ?? []), exchange as unknown as Exchange]);
    }
  }
  return new Map(
    [...found].map(([scenario, exchanges]) => [scenario, { scenario, exchanges }] as const),
  );
}

/** "apps/v1/deployments create" is in "apps.v1.deployments.jsonl". */
function byFile(recordings: readonly Recording[]): Map<string, Recording[]> {
  const files = new Map<string, Recording[]>();
  for (const recording of recordings) {
    const [resource = ''] = recording.scenario.split(' ');
    const file = `${resource.replaceAll('/', '.')}.jsonl`;
    files.set(file, [...(files.get(file) ?? []), recording]);
  }
  return files;
}

/** Numbers parts in the order in which they end, so that writing and reading assign the same numbers. */
class SharedParts {
  readonly #numbers = new Map<string, number>();
  readonly #parts: Json[] = [];

  pack(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const number = this.#numbers.get(text);
    if (number !== undefined) return { [SAME]: number };
    const packed = Array.isArray(value)
      ? value.map((part) => this.pack(part))
      : mapped(value, (part) => this.pack(part));
    this.#number(value, text);
    return packed;
  }

  unpack(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value) && typeof value[SAME] === 'number') {
      return this.#parts[value[SAME]] ?? null;
    }
    const whole = Array.isArray(value)
      ? value.map((part) => this.unpack(part))
      : mapped(value, (part) => this.unpack(part));
    this.#number(whole, JSON.stringify(whole));
    return whole;
  }

  #number(value: Json, text: string): void {
    if (text.length < MIN_SHARED_LENGTH || this.#numbers.has(text)) return;
    this.#numbers.set(text, this.#parts.length);
    this.#parts.push(value);
  }
}

function mapped(object: JsonObject, map: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, part]) => [name, map(part)]));
}
