/** `lifehook recipes test NAME --pod POD`: freezes a real application for some seconds. */
import process from 'node:process';

import { execInPod, openExec } from '../../../kube/exec.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { randomFraction } from '../../../platform/randomness.ts';
import { cancelOnSignals } from '../../cancel-on-signals.ts';
import { exitCodes } from '../../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../../kube-connection.ts';
import { actionsOfRecipe, findRecipe } from './resolve-recipe.ts';
import { type TriedStep, tryRecipe } from './try-recipe.ts';

export interface RecipesTestOptions extends KubeOptions {
  readonly pod: string;
  readonly container?: string;
  readonly hold: number;
  readonly set: Readonly<Record<string, string>>;
}

export async function runRecipesTest(name: string, options: RecipesTestOptions): Promise<number> {
  const recipe = findRecipe(name);
  const actions = actionsOfRecipe(recipe, options.set);
  const { pod, container, hold } = options;
  using cluster = await connectToKube(options, 'recipes test');
  const { connection, namespace, source } = cluster;
  const where = container === undefined ? pod : `${pod}/${container}`;
  const note = recipe.tested ? '' : ' (untested recipe)';
  process.stdout.write(`${recipe.name}${note} on ${namespace}/${where}, ${source}\n\n`);
  const ok = await tryRecipe({
    actions,
    access: {
      exec: async (exec) => execInPod(connection, exec),
      openExec: async (exec) => openExec(connection, exec),
    },
    target: { namespace, pod, ...(container === undefined ? {} : { container }) },
    holdSeconds: hold,
    platform: nodePlatform,
    random: randomFraction,
    report: (step) => process.stdout.write(stepText(step)),
    signal: cancelOnSignals(),
  });
  const said = ok ? `${recipe.name} works here.` : `${recipe.name} does not work here as it is.`;
  process.stdout.write(`\n${said}\n`);
  return ok ? exitCodes.done : exitCodes.hookFailed;
}

/** Maximum number of output lines of the application that are printed. */
const OUTPUT_LINES_MAX = 20;

function stepText({ name, ok, ms, text, output }: TriedStep): string {
  const lines = output.trimEnd().split('\n').slice(-OUTPUT_LINES_MAX);
  const said =
    output.trim() === '' ? '' : `${lines.map((line) => `          | ${line}`).join('\n')}\n`;
  const mark = ok ? 'ok  ' : 'FAIL';
  return `${mark} ${name.padEnd(6)} ${`${Math.round(ms)} ms`.padStart(9)}  ${text}\n${said}`;
}
