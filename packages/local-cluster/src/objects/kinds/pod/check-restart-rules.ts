/** A container's own restart policy, and its rules for exit codes. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { required } from '../../field-errors.ts';
import { oneOf } from '../checks.ts';
import { objectsAt, textAt } from '../../../../../../src/kube/fields.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart'];
/** A real server accepts it, and the node cannot do it. */
const NOT_HERE = 'RestartAllContainers';
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
  const action = checkAction(textAt(rule, 'action'), `${field}.action`);
  if (rule['exitCodes'] === undefined) {
    return [...action, required(`${field}.exitCodes`, 'must be specified')];
  }
  const operator = textAt(rule, 'exitCodes', 'operator');
  return [...action, ...oneOf(`${field}.exitCodes.operator`, operator, OPERATORS)];
}

function checkAction(action: string, field: string): readonly FieldError[] {
  const errors = oneOf(field, action, ACTIONS);
  return action === NOT_HERE ? errors.map((error) => ({ ...error, isOnlyHere: true })) : errors;
}
