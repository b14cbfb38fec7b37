/** Checks the variables of a container: each needs a valid name, and either a value or exactly one source. */
import { type Field, isObject, objectAt, textAt } from '../../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { invalid, notSupported } from '../../field-error.ts';
import { configKey, dnsSubdomain, environmentName } from '../../metadata-names.ts';
import { form, namingList, needed } from '../field-checks.ts';
import { type Check, fields } from '../field-rules.ts';

const POD_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Paths that are valid in field selectors, but not as the source of a variable. */
const OTHER_FIELDS = [
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.nominatedNodeName',
  'status.phase',
];
const KEYED_FIELD = /^metadata\.(?:labels|annotations)\['.+'\]$/;

const fieldPath: Check = (value, field) => {
  const path = textAt(value);
  if (POD_FIELDS.includes(path) || KEYED_FIELD.test(path)) return [];
  if (OTHER_FIELDS.includes(path)) return [notSupported(field, path, POD_FIELDS)];
  return [invalid(field, path, `error converting fieldPath: field label not supported: ${path}`)];
};

const REFERENCES = ['configMapRef', 'secretRef'];
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const SOURCE = fields(
  ['fieldRef', fields(['fieldPath', needed(), fieldPath])],
  ['resourceFieldRef', fields(['resource', needed()])],
  [
    '{configMapKeyRef,secretKeyRef,fileKeyRef}',
    fields(['name', form(dnsSubdomain)], ['key', needed(), form(configKey)]),
  ],
);

/** A check that reports `detail` if the test fails. As on a real server, the error has an empty value. */
function emptyIf(test: (source: Field, variable: JsonObject) => boolean, detail: string): Check {
  return (value, field, { holder }) => (test(value, holder) ? [invalid(field, '', detail)] : []);
}

function given(source: Field, names: readonly string[]): number {
  return names.filter((name) => objectAt(source, name) !== undefined).length;
}

const ONE_OF = 'must specify one of:';
const NONE = `${ONE_OF} \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``;
const NO_REFERENCE = `${ONE_OF} \`configMapRef\` or \`secretRef\``;
const TWO = 'may not have more than one field specified at a time';
const WITH_VALUE = 'may not be specified when `value` is not empty';

const isBoth: Parameters<typeof emptyIf>[0] = (source, variable) =>
  given(source, SOURCES) > 0 && textAt(variable, 'value') !== '';

const VARIABLE = fields(
  ['name', needed(), form(environmentName)],
  ['valueFrom', emptyIf((from) => isObject(from) && given(from, SOURCES) === 0, NONE), SOURCE],
  ['valueFrom', emptyIf(isBoth, WITH_VALUE)],
  ['valueFrom', emptyIf((from) => given(from, SOURCES) > 1, TWO)],
);

const VARIABLES_FROM = fields(
  ['prefix', form(environmentName)],
  ['{configMapRef,secretRef}', fields(['name', needed()])],
  ['', namingList(emptyIf((from) => given(from, REFERENCES) === 0, NO_REFERENCE))],
  ['', namingList(emptyIf((from) => given(from, REFERENCES) > 1, TWO))],
);

export const ENVIRONMENT: Check = fields(['env[]', VARIABLE], ['envFrom[]', VARIABLES_FROM]);
