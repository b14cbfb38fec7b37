/** The texts of x-kubernetes-validations; whether a rule is right is for the rules' engine to say. */
import type { FieldError } from '../field-error.ts';
import { invalid, notSupported, required } from '../field-errors.ts';
import type { Rule, Schema } from './schema.ts';

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];
const LINE_BREAK = /[\r\n]/;

export function checkRuleTexts({ rules }: Schema, at: string): FieldError[] {
  return rules.flatMap((rule, index) =>
    checkTexts(rule, `${at}.x-kubernetes-validations[${index}]`),
  );
}

function checkTexts(rule: Rule, at: string): FieldError[] {
  return [
    ...checkMessage(rule, at),
    ...(rule.messageExpression !== '' && rule.messageExpression.trim() === ''
      ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(rule.reason === '' || REASONS.includes(rule.reason)
      ? []
      : [notSupported(`${at}.reason`, rule.reason, REASONS)]),
    ...checkFieldPath(rule, at),
  ];
}

function checkMessage({ rule, message }: Rule, at: string): FieldError[] {
  if (rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '') {
    return [invalid(`${at}.message`, message, 'must be non-empty if specified')];
  }
  if (LINE_BREAK.test(message.trim())) {
    return [invalid(`${at}.message`, message, 'must not contain line breaks')];
  }
  if (!LINE_BREAK.test(rule.trim()) || message.trim() !== '') return [];
  return [required(`${at}.message`, 'message must be specified if rule contains line breaks')];
}

function checkFieldPath({ fieldPath }: Rule, at: string): FieldError[] {
  if (fieldPath === '') return [];
  const field = `${at}.fieldPath`;
  if (fieldPath.trim() === '') return [invalid(field, fieldPath, 'must be non-empty if specified')];
  if (!LINE_BREAK.test(fieldPath)) return [];
  return [invalid(field, fieldPath, 'must not contain line breaks')];
}
