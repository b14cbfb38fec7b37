/** What the generated scenarios know of one resource: a good object, and the ways in which it can be wrong. */
import type { JsonObject } from '../../src/kube/object.ts';
import { isObject } from '../../src/kube/fields.ts';
import type { Recorder } from './recorder.ts';

export interface Sample {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** A whole good object, but for its metadata. */
  readonly body: JsonObject | ((name: string, namespace: string) => JsonObject);
  /** Each of these is a merge patch over the good object. `change` gives another good one. */
  readonly change: JsonObject;
  readonly wrongType: JsonObject;
  readonly invalid: Readonly<Record<string, JsonObject>>;
  /** Good when it is created, refused when it is changed to. */
  readonly immutable: Readonly<Record<string, JsonObject>>;
  readonly status?: JsonObject;
  readonly scale?: boolean;
  /** A field selector of its own, and one that selects nothing. */
  readonly fieldSelectors?: readonly string[];
  /** Strategic merge patches beyond `change`. */
  readonly strategic?: Readonly<Record<string, JsonObject>>;
  /** Absent: all of them. */
  readonly cases?: readonly string[];
  /** Of kinds whose names have a form of their own. */
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

  /** Names of the cluster's own kinds are the run's. */
  named(name: string): string {
    const { nameOf, namespaced } = this.sample;
    const { namespace } = this.api;
    if (nameOf !== undefined) return nameOf(name, namespace);
    return namespaced ? name : `${namespace}-${name}`;
  }

  /** `over`: a merge patch. */
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

  /** Not looked at. */
  async create(name: string, over: JsonObject = {}): Promise<JsonObject> {
    const body = this.object(name, over);
    return (await this.api.setUp({ method: 'POST', path: this.collection, body })).body;
  }
}

export function apiVersionOf({ group, version }: Pick<Sample, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** As RFC 7386, on a copy. */
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
