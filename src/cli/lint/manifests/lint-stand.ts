/** A lint of one text, or of several files, as tests ask for it. */
import { formatProblem } from '../../../model/problem.ts';
import { lintManifests, type ManifestFindings } from './lint-manifests.ts';

type Settings = Parameters<typeof lintManifests>[1];

const DEFAULTS: Settings = { serverMinor: null, drainSeconds: null, strict: false, generated: [] };

export function lintText(
  text: string,
  settings: Partial<Settings> = {},
): Promise<ManifestFindings> {
  return lintFiles({ 'm.yaml': text }, settings);
}

export function lintFiles(
  files: Readonly<Record<string, string>>,
  settings: Partial<Settings> = {},
): Promise<ManifestFindings> {
  const manifests = Object.entries(files).map(([file, text]) => ({ file, text, isNamed: true }));
  return lintManifests(manifests, { ...DEFAULTS, ...settings });
}

/** A Deployment that is right. */
export const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: nginx
          lifecycle:
            preStop: { exec: { command: [nginx, -s, quit] } }
`;

/** It with a mistake. */
export function change(from: string, to: string): string {
  if (!WEB.includes(from)) throw new Error(`the Deployment has no ${from}`);
  return WEB.replace(from, to);
}

export async function lines(
  text: string,
  settings: Parameters<typeof lintText>[1] = {},
): Promise<string[]> {
  return (await lintText(text, settings)).problems.map((one) => formatProblem(one));
}

export const object = (apiVersion: string, kind: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: one }\n${more}`;
