/** The data for one resource from which scenarios are generated: a valid object, and its possible errors. */
import type { JsonObject } from '../../src/kube/object.ts';
import { isObject } from '../../src/kube/fields.ts';
import type { Recorder } from './recorder.ts';

export interface Sample {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** A complete valid object without its metadata. */
  readonly body: JsonObject | ((name: string, namespace: string) => JsonObject);
  /** Merge patch over `body` that makes another valid object. `wrongType` and `invalid` are merge patches too. */
  readonly change: JsonObject;
  readonly wrongType: JsonObject;
  readonly invalid: Readonly<Record<string, JsonObject>>;
  /** Merge patches that are valid at creation and refused in an update. */
  readonly immutable: Readonly<Record<string, JsonObject>>;
  readonly status?: JsonObject;
  readonly scale?: boolean;
  /** A field selector that matches the object, and one that matches nothing. */
  readonly fieldSelectors?: readonly string[];
  /** Strategic merge patches in addition to `change`. */
  readonly strategic?: Readonly<Record<string, JsonObject>>;
  /** Names of the cases to run; absent: all. */
  readonly cases?: readonly string[];
  /** Makes the names of kinds that need a special form. */
  readonly nameOf?: (name: string, namespace: string) => string;
}

/** One resource within one run. */
export class Subject {
  readonly api: Recorder;
  readonly sample: Sample;

  constructor(api: Recorder, sample: Sample) {
    this.api = api;
    this.sample = sample;
  }

  get apiVersion(): string {
    return apiVersionOf(this.sample);
  }

  get root(): string {
    return this.sample.group === '' ? `/api/${this.sample.version}` : `/apis/${this.apiVersion}`;
  }

  get collection(): string {
    return this.collectionIn(this.api.namespace);
  }

  collectionIn(namespace: string): string {
    const { namespaced, plural } = this.sample;
    return namespaced ? `${this.root}/namespaces/${namespace}/${plural}` : `${this.root}/${plural}`;
  }

  path(name: string): string {
    return `${this.collection}/${this.named(name)}`;
  }

  /** Names of cluster-scoped kinds contain the run's namespace. */
  named(name: string): string {
    const { nameOf, namespaced } = this.sample;
    const { namespace } = this.api;
    if (nameOf !== undefined) return nameOf(name, namespace);
    return namespaced ? name : `${namespace}-${name}`;
  }

  /** The valid object with this name; `over` is a merge patch. */
  object(name: string, over: JsonObject = {}): JsonObject {
    const { body, kind } = this.sample;
    const whole: JsonObject = {
      apiVersion: this.apiVersion,
      kind,
      metadata: { name: this.named(name), labels: { run: this.api.namespace } },
      ...(typeof body === 'function' ? body(this.named(name), this.api.namespace) : body),
    };
    return merged(whole, over);
  }

  /** Creates the object without recording the request. */
  async create(name: string, over: JsonObject = {}): Promise<JsonObject> {
    const body = this.object(name, over);
    return (await this.api.setUp({ method: 'POST', path: this.collection, body })).body;
  }
}

export function apiVersionOf({ group, version }: Pick<Sample, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Applies a merge patch (RFC 7386) to a copy. */
export function merged(object: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...object };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) delete result[name];
    else if (isObject(value)) result[name] = merged(isObject(old) ? old : {}, value);
    else result[name] = value;
  }
  return result;
}

export function meta(object: JsonObject): JsonObject {
  const { metadata } = object;
  return isObject(metadata) ? metadata : {};
}
