/** Replaces with names the parts of kubectl's output that differ from run to run. */

/** Characters of the random endings of names in Kubernetes. */
const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]';

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{uid}'],
  [/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '{time}'],
  [/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \+0000(?: UTC)?/g, '{time}'],
  [/\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d \+0000/g, '{time}'],
  // The head of a line of kubectl's own log.
  [/^[EIW]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ([\w.]+):\d+\]/gm, '{log} $1]'],
  [/https:\/\/[\d.]+:\d+/g, '{server}'],
  // Private addresses of nodes, pods and services; the local cluster uses loopback addresses. 127.0.0.1 stays, because
  // forwarded ports listen there on both clusters.
  [/\b(?!127\.0\.0\.1\b)(?:10|127|172|192)(?:\.\d{1,3}){3}\b/g, '{ip}'],
  [/(resourceVersion"?: "?)[1-9]\d*/g, '$1{rv}'],
  [/(?<=(?:^|\s\s|\())(?:\d+[smhd]){1,2}(?=$|\s|\))/gm, '{age}'],
  [new RegExp(`-${RANDOM}{7,10}-${RANDOM}{5}\\b`, 'g'), '-{hash}-{id}'],
  [new RegExp(`-${RANDOM}{8,10}\\b`, 'g'), '-{hash}'],
  [new RegExp(`(pod-template-hash[=:] ?"?)${RANDOM}+`, 'g'), '$1{hash}'],
  [new RegExp(`-${RANDOM}{5}\\b`, 'g'), '-{id}'],
  [/\b(?:containerd|lifehook):\/\/[\w./-]+/g, '{container}'],
  [/\bsha256:[0-9a-f]{64}/g, '{digest}'],
  [/\blifehook\b/g, 'node'],
];

export interface Places {
  readonly namespace: string;
  readonly folder: string;
}

/** Normalises line by line. The width of columns depends on their text, so a run of spaces becomes two. */
export function normaliseText(text: string, { namespace, folder }: Places): string[] {
  let result = text.replaceAll(folder, '{folder}').replaceAll(namespace, '{ns}');
  for (const [pattern, name] of REPLACEMENTS) result = result.replaceAll(pattern, name);
  // Continuation lines are indented to a column whose position differs too.
  const lines = result
    .replaceAll(/(?<=\S) {2,}/g, '  ')
    .replaceAll(/^ {9,}/gm, ' '.repeat(8))
    .split('\n');
  return lines.map((line) => line.trimEnd());
}
