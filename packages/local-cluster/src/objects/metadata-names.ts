/**
 * Checks the syntax of names, label keys, ports and similar values.
 *
 * Each rule is a function that returns the errors of a text, with the server's texts. It checks the length first, so
 * that no pattern runs over a long text.
 */
export type NameRule = (name: string) => readonly string[];

const LABEL_CHARS_MAX = 63;
const SUBDOMAIN_CHARS_MAX = 253;
const PORT_NAME_CHARS_MAX = 15;

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SERVICE_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

interface Form {
  readonly pattern: string;
  readonly says: string;
  readonly examples: readonly string[];
}

const label: Form = {
  pattern: LABEL,
  says: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
};
const subdomain: Form = {
  pattern: SUBDOMAIN,
  says: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
};
const serviceLabel: Form = {
  pattern: SERVICE_LABEL,
  says: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
};
const key: Form = {
  pattern: KEY,
  says: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
};
const labelValue: Form = {
  pattern: `(${KEY})?`,
  says: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
};
const dataKey: Form = {
  pattern: '[-._a-zA-Z0-9]+',
  says: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
};
const headerName: Form = {
  pattern: '[-A-Za-z0-9]+',
  says: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
};

export const dnsLabel: NameRule = (name) => bounded(label, LABEL_CHARS_MAX, name);

export const dnsSubdomain: NameRule = (name) => bounded(subdomain, SUBDOMAIN_CHARS_MAX, name);

export const serviceName: NameRule = (name) => bounded(serviceLabel, LABEL_CHARS_MAX, name);

/** Names of objects such as those of RBAC: any text that can be one segment of a URL path. */
export const pathSegment: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%']
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
};

/** Label keys, annotation keys and finalizers, such as "example.com/name" or "name". */
export const qualifiedName: NameRule = (name) => {
  const parts = name.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${mismatch(key)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const last = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? prefixFaults(parts[0] ?? '') : []), ...keyFaults(last)];
};

export const labelText: NameRule = (value) =>
  value.length > LABEL_CHARS_MAX
    ? [`must be no more than ${LABEL_CHARS_MAX} bytes`]
    : bounded(labelValue, LABEL_CHARS_MAX, value);

export const configKey: NameRule = (name) => {
  const faults = bounded(dataKey, SUBDOMAIN_CHARS_MAX, name);
  if (name === '.' || name === '..') return [...faults, `must not be '${name}'`];
  return name.startsWith('..') ? [...faults, "must not start with '..'"] : faults;
};

/** Names of environment variables: any printable ASCII except "=", by default since Kubernetes 1.32. */
export const environmentName: NameRule = (name) =>
  /^[ -<>-~]*$/.test(name)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ];

export const httpHeaderName: NameRule = (name) => bounded(headerName, SUBDOMAIN_CHARS_MAX, name);

export const portName: NameRule = (name) => [
  ...(name.length > PORT_NAME_CHARS_MAX ? [tooLong(PORT_NAME_CHARS_MAX)] : []),
  ...(/^[-a-z0-9]+$/.test(name)
    ? []
    : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter or number (a-z, 0-9)']),
  ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(name.startsWith('-') || name.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
];

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dnsSubdomain(prefix).map((fault) => `prefix part ${fault}`);
}

function keyFaults(name: string): string[] {
  if (name === '') return ['name part must be non-empty', `name part ${mismatch(key)}`];
  if (name.length > LABEL_CHARS_MAX) return [`name part ${tooLong(LABEL_CHARS_MAX)}`];
  return matches(key, name) ? [] : [`name part ${mismatch(key)}`];
}

function bounded(form: Form, charsMax: number, text: string): readonly string[] {
  if (text.length > charsMax) return [tooLong(charsMax)];
  return matches(form, text) ? [] : [mismatch(form)];
}

function matches({ pattern }: Form, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function tooLong(charsMax: number): string {
  return `must be no more than ${charsMax} characters`;
}

function mismatch({ pattern, says, examples }: Form): string {
  // The server writes two spaces before "or". Clients compare the text.
  const quoted = examples.map((example) => `'${example}'`).join(',  or ');
  return `${says} (e.g. ${quoted}, regex used for validation is '${pattern}')`;
}
