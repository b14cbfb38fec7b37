/** The rules for the labels and annotations that a hook adds to its pod. */
import { checkLabelKey, checkLabels } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
} from '../../../controller/definitions/field-problem.ts';
import { ANNOTATIONS_MAX, LABELS_MAX } from './limits.ts';

type Marks = Readonly<Record<string, string>>;

/** Our labels and annotations, which identify the pod and its hook. */
const RESERVED_PREFIX = 'lifehook.dev/';
/** ROLL-E14, ROLL-E24: with this label a ReplicaSet would adopt the pod and delete it as surplus. */
const POD_TEMPLATE_HASH = 'pod-template-hash';

export function checkPodLabels(field: string, labels: Marks): FieldProblem[] {
  const detail = 'a ReplicaSet would take the pod for one of its own, and delete it: remove it';
  const hashed = POD_TEMPLATE_HASH in labels;
  return [
    ...checkCount(field, labels, LABELS_MAX),
    ...checkReserved(field, labels),
    ...(hashed ? [forbidden(`${field}[${POD_TEMPLATE_HASH}]`, detail)] : []),
    ...checkLabels(field, labels),
  ];
}

export function checkPodAnnotations(field: string, annotations: Marks): FieldProblem[] {
  return [
    ...checkCount(field, annotations, ANNOTATIONS_MAX),
    ...checkReserved(field, annotations),
    ...Object.keys(annotations).flatMap((key) => checkLabelKey(field, key)),
  ];
}

function checkReserved(field: string, marks: Marks): FieldProblem[] {
  const detail = `the keys that begin with ${RESERVED_PREFIX} are how the controllers know their pods: choose another`;
  return Object.keys(marks)
    .filter((key) => key.startsWith(RESERVED_PREFIX))
    .map((key) => forbidden(`${field}[${key}]`, detail));
}

function checkCount(field: string, marks: Marks, max: number): FieldProblem[] {
  const count = Object.keys(marks).length;
  return count <= max ? [] : [invalid(field, count, `must have at most ${max} keys`)];
}
