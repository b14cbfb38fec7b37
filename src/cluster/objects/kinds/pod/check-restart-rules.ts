/** A container's own restart policy, and its rules for exit codes. */
import type { JsonObject } from '../../../../kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { required } from '../../field-errors.ts';
import { oneOf } from '../checks.ts';
import { objectsAt, textAt } from '../fields.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
/** A real server also accepts "RestartAllContainers", which the node cannot do. */
const ACTIONS = ['Restart'];
const OPERATORS = ['In', 'NotIn'];

export function checkOwnRestarts(container: JsonObject, field: string): readonly FieldError[] {
  const policy = textAt(container, 'restartPolicy');
  const rules = objectsAt(container, 'restartPolicyRules');
  const where = `${field}.restartPolicy`;
  const why = 'must specify restartPolicy when restart rules are used';
  return [
    ...(policy === '' ? [] : oneOf(where, policy, POLICIES)),
    ...(policy === '' && rules.length > 0 ? [required(where, why)] : []),
    ...rules.flatMap((rule, index) => checkRule(rule, `${where}Rules[${index}]`)),
  ];
}

function checkRule(rule: JsonObject, field: string): readonly FieldError[] {
  const action = oneOf(`${field}.action`, textAt(rule, 'action'), ACTIONS);
  if (rule['exitCodes'] === undefined) {
    return [...action, required(`${field}.exitCodes`, 'must be specified')];
  }
  const operator = textAt(rule, 'exitCodes', 'operator');
  return [...action, ...oneOf(`${field}.exitCodes.operator`, operator, OPERATORS)];
}
