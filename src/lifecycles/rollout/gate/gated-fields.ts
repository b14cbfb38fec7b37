/** The fields of a Deployment that the gate controls, and the JSON patch that changes them. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import type { Json } from '../../../kube/object.ts';
import { GATED, RELEASED, ROLLOUT, WANTED_REPLICAS, WRITE_PROOF } from '../names.ts';

export interface GatedFields {
  /** The label's value; undefined: no label. */
  readonly label: string | undefined;
  /** Annotations; undefined: no annotation. */
  readonly rollout: string | undefined;
  readonly released: string | undefined;
  readonly wanted: string | undefined;
  readonly proof: string | undefined;
  readonly paused: boolean;
  /** undefined: not set. */
  readonly replicas: number | undefined;
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'test';
  readonly path: string;
  readonly value?: Json;
}

/** Adds whole maps, so that it also works without an existing map. Empty: no difference. */
export function patchTo(
  { metadata: { labels = {}, annotations = {} } = {}, spec }: Deployment,
  fields: GatedFields,
): PatchOperation[] {
  const put = (path: string, is: Json, shall: Json): PatchOperation[] =>
    sameJson(is, shall) ? [] : [{ op: 'add', path, value: shall }];
  return [
    ...put('/metadata/labels', labels, { ...labels, ...given({ [GATED]: fields.label }) }),
    ...put('/metadata/annotations', annotations, annotated(annotations, fields)),
    ...put('/spec/paused', spec?.paused === true, fields.paused),
    ...put('/spec/replicas', spec?.replicas ?? null, fields.replicas ?? null),
  ];
}

function annotated(
  annotations: Readonly<Record<string, string>>,
  { rollout, released, wanted, proof }: GatedFields,
): Record<string, string> {
  const ours = {
    [ROLLOUT]: rollout,
    [RELEASED]: released,
    [WANTED_REPLICAS]: wanted,
    [WRITE_PROOF]: proof,
  };
  const others = Object.entries(annotations).filter(([name]) => !Object.hasOwn(ours, name));
  return { ...Object.fromEntries(others), ...given(ours) };
}

/** Without undefined values. */
function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
