/** The fields of a Deployment that the gate controls, and the JSON patch that changes them. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import type { Json } from '../../../kube/object.ts';
import { GATED, RELEASED, ROLLOUT, WANTED_REPLICAS, WRITE_PROOF } from '../names.ts';

export interface GatedFields {
  /** The value of the label; undefined: the label is absent. */
  readonly label: string | undefined;
  /** The values of annotations; undefined: the annotation is absent. */
  readonly rollout: string | undefined;
  readonly released: string | undefined;
  readonly wanted: string | undefined;
  readonly proof: string | undefined;
  readonly paused: boolean;
  /** undefined: the field is absent. */
  readonly replicas: number | undefined;
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'test';
  readonly path: string;
  readonly value?: Json;
}

/**
 * The patch that sets these fields; empty: nothing differs. It adds whole maps, so that it also works if a map is
 * absent.
 */
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

/** The values without those that are undefined. */
function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
