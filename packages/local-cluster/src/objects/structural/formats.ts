/** The string formats that a schema of a custom resource can name. As in Kubernetes, other formats are ignored. */
import { readTime } from '../decode-scalar.ts';

type Test = (text: string) => boolean;

/**
 * Maximum number of characters of a text that is checked. A longer text counts as invalid, so no pattern runs over it.
 */
const FORMAT_CHARS_MAX = 64 * 1024;

const matches =
  (form: RegExp): Test =>
  (text) =>
    form.test(text);

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const HOST_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;
const GO_DURATION =
  /^[+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*$/;
const WORD_DURATION =
  /^\d+ ?(ns|nano\w*|us|µs|micro\w*|ms|milli\w*|s|sec\w*|m|min\w*|h|hr\w*|hours?|d|days?|w|weeks?|wk\w*)$/;

/** Checks by the format's name without dashes. */
const FORMATS: Readonly<Record<string, Test>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: matches(/^[^\s@<>]+@[^\s@<>]+$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: (text) => text.includes(':') && isIpv6(text),
  cidr: isCidr,
  mac: matches(
    /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}(([:-][0-9a-f]{2}){2})?$|^[0-9a-f]{4}(\.[0-9a-f]{4}){2,3}$/i,
  ),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  byte: matches(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(`${text}T00:00:00Z`),
  duration: (text) => GO_DURATION.test(text) || text === '0' || WORD_DURATION.test(text),
  datetime: isTime,
  k8sshortname: matches(LABEL),
  k8slongname: (text) =>
    text.length <= 253 &&
    text.split('.').every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part)),
};

const NUMBER_FORMATS = ['int32', 'int64', 'float', 'double'];

export function isNumberFormat(format: string): boolean {
  return NUMBER_FORMATS.includes(format);
}

/** True if the server knows the format. */
export function isKnownFormat(format: string): boolean {
  return isNumberFormat(format) || Object.hasOwn(FORMATS, nameOf(format));
}

export function hasFormat(text: string, format: string): boolean {
  const name = nameOf(format);
  if (!Object.hasOwn(FORMATS, name)) return true;
  return text.length <= FORMAT_CHARS_MAX && FORMATS[name]?.(text) === true;
}

function nameOf(format: string): string {
  return format.replaceAll('-', '');
}

function isTime(text: string): boolean {
  return 'text' in readTime(text.toUpperCase().replace(' ', 'T'), 'time');
}

function isUri(text: string): boolean {
  return text.startsWith('/') || URL.canParse(text);
}

function isHostname(text: string): boolean {
  return text.length <= 255 && text.split('.').every((label) => HOST_LABEL.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

function isIpv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  if (more !== undefined || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  if (isIpv4(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}
