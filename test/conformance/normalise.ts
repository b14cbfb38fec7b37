/**
 * Replaces values that differ from run to run with names: the run's namespace, identities, revisions, times, allocated
 * addresses, generated endings. Equal values get equal names within a scenario, so that "the same revision as before"
 * is still compared. Use one instance per scenario; it learns from each answer.
 */
import { isObject } from '../../src/kube/fields.ts';
import type { Json, JsonObject } from '../../src/kube/object.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Matches the times of a run; the times in the samples are earlier. */
const TIME = /20(?:2[4-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
/** The ranges of service addresses of both servers. */
const SERVICE_ADDRESS = /\b(?:10\.9[67]|127\.96)\.\d{1,3}\.\d{1,3}\b/g;
const AGE = /^\d+s$/;
/** The age of a sample's time, which changes every day. */
const YEARS = /^\d+y\d+d$/;

/** Replacements by field name, for fields at any depth. */
const FIELDS: Readonly<Record<string, (value: Json) => Json>> = {
  continue: (value) => (value === '' ? '' : '{token}'),
  nodePort: allocatedPort,
  healthCheckNodePort: allocatedPort,
  columnDefinitions: withoutDescriptions,
  // Each cluster has its own administrator.
  userInfo: () => '{user}',
  // Sorted, because the server's order depends on whether two writes were in the same second.
  managedFields: (value) => sorted(value, managerKey),
};

const FIRST_PORT = 30_000;

function allocatedPort(value: Json): Json {
  return typeof value === 'number' && value >= FIRST_PORT ? '{port}' : value;
}

export class Normaliser {
  readonly #namespace: string;
  readonly #uids = new Map<string, string>();
  /** The revisions of each object in the order of their appearance, by UID. */
  readonly #revisions = new Map<string, string[]>();
  readonly #prefixes = new Set<string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  text(text: string): string {
    let result = text;
    for (const prefix of this.#prefixes) {
      result = result.replaceAll(new RegExp(`${prefix}[a-z0-9]{5}\\b`, 'g'), `${prefix}{5}`);
    }
    return (
      result
        .replaceAll(this.#namespace, '{ns}')
        // Go's diff printer randomly uses non-breaking spaces, chosen at each start of the server.
        .replaceAll('\u00a0', ' ')
        .replaceAll(UID, (uid) => this.#uids.get(uid) ?? '{uid}')
        .replaceAll(TIME, '{time}')
        .replaceAll(SERVICE_ADDRESS, '{ip}')
        .replaceAll(/\bcontinue=[^&]{20,}/g, 'continue={token}')
        .replaceAll(/\bresourceVersion=[1-9]\d*/g, 'resourceVersion={rv}')
        // Go pointers, and the bytes around an error in Go's messages.
        .replaceAll(/\b0xc[0-9a-f]{8,12}\b/g, '{pointer}')
        .replaceAll(/(bigger context \.\.\.\|).*?(\|\.\.\.)/gs, '$1{bytes}$2')
        .replaceAll(/(byte of \.\.\.\|).*?(\|\.\.\.)/gs, '$1{bytes}$2')
        // Objects that a message contains as text.
        .replaceAll(/(resourceVersion\\*":\\*")[1-9]\d*/g, '$1{rv}')
        .replaceAll(
          /(in record|current:|in object meta:|resource version: \d+) \(?\d+\)?/g,
          '$1 {rv}',
        )
    );
  }

  body(body: Json): Json {
    this.#learn(body);
    return this.#replace(body);
  }

  #learn(value: Json): void {
    if (Array.isArray(value)) for (const item of value) this.#learn(item);
    if (!isObject(value)) return;
    const { metadata } = value;
    if (isObject(metadata)) this.#learnMetadata(metadata);
    for (const part of Object.values(value)) this.#learn(part);
  }

  /** Registers a prefix for which a server generates names; their random endings are replaced. */
  expectGenerated(prefix: string): void {
    this.#prefixes.add(prefix);
  }

  #learnMetadata({ name, uid, resourceVersion }: JsonObject): void {
    if (typeof name !== 'string' || typeof uid !== 'string') return;
    if (!this.#uids.has(uid)) {
      const shown = this.text(name);
      const same = [...this.#uids.values()].filter((each) => each.startsWith(`{uid ${shown} #`));
      this.#uids.set(uid, `{uid ${shown} #${same.length + 1}}`);
      this.#revisions.set(uid, []);
    }
    const revisions = this.#revisions.get(uid) ?? [];
    if (typeof resourceVersion === 'string' && !revisions.includes(resourceVersion)) {
      revisions.push(resourceVersion);
    }
  }

  #replace(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#replace(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, part]) => [this.text(name), this.#field(name, part, value)]),
    );
  }

  #field(name: string, part: Json, within: JsonObject): Json {
    if (name === 'resourceVersion') return this.#revision(part, within['uid']);
    if (name === 'cells') return this.#cells(part);
    // Sorted, because the server uses the random order of a Go map.
    if (name === 'causes') return sorted(this.#replace(part), (item) => JSON.stringify(item));
    return this.#replace(FIELDS[name]?.(part) ?? part);
  }

  #revision(value: Json, uid: Json | undefined): Json {
    if (typeof value !== 'string' || !/^[1-9]\d*$/.test(value)) return value;
    const of = typeof uid === 'string' ? this.#revisions.get(uid) : undefined;
    const index = of?.indexOf(value) ?? -1;
    return index < 0 ? '{rv}' : `{rv ${index + 1}}`;
  }

  #cells(cells: Json): Json {
    if (!Array.isArray(cells)) return cells;
    return cells.map((cell) => {
      if (typeof cell !== 'string') return this.#replace(cell);
      if (AGE.test(cell)) return '{age}';
      return YEARS.test(cell) ? '{years}' : this.#replace(cell);
    });
  }
}

/** Descriptions of columns are not compared. */
function withoutDescriptions(columns: Json): Json {
  if (!Array.isArray(columns)) return columns;
  return columns.map((column) => (isObject(column) ? { ...column, description: '' } : column));
}

function sorted(value: Json, keyOf: (item: Json) => string): Json {
  if (!Array.isArray(value)) return value;
  return value.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function managerKey(entry: Json): string {
  if (!isObject(entry)) return '';
  const { operation = '', manager = '', apiVersion = '', subresource = '' } = entry;
  return JSON.stringify([operation, manager, apiVersion, subresource]);
}
