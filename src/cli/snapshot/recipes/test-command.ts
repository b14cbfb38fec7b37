/** `lifehook recipes test NAME --pod POD`: freezes a real application for some seconds. */
import process from 'node:process';

import { execInPod, openExec } from '../../../kube/exec.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { randomFraction } from '../../../platform/randomness.ts';
import { cancelOnSignals } from '../../cancel-on-signals.ts';
import { exitCodes } from '../../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../../kube-connection.ts';
import { printable } from '../../terminal-text.ts';
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
  const signal = cancelOnSignals();
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
    signal,
  });
  const { text, exitCode } = conclusionOf(recipe.name, { ok, isInterrupted: signal.aborted });
  process.stdout.write(`\n${text}\n`);
  return exitCode;
}

/**
 * The last line of a test of a recipe, with its exit code. `ok`: every step had the expected result, also those after
 * an interruption. Pure.
 */
export function conclusionOf(
  recipe: string,
  { ok, isInterrupted }: { readonly ok: boolean; readonly isInterrupted: boolean },
): { readonly text: string; readonly exitCode: number } {
  if (!ok)
    return { text: `${recipe} does not work here as it is.`, exitCode: exitCodes.hookFailed };
  if (isInterrupted) {
    const text = 'Interrupted. Run the test again to hold the freeze for its whole time.';
    return { text, exitCode: exitCodes.interrupted };
  }
  return { text: `${recipe} works here.`, exitCode: exitCodes.done };
}

/** Maximum number of output lines of the application that are printed. */
const OUTPUT_LINES_MAX = 20;

/** A step with the last lines of its output. Pure. */
export function stepText({ name, ok, ms, text, output }: TriedStep): string {
  const lines = output.trimEnd().split('\n').slice(-OUTPUT_LINES_MAX);
  const said =
    output.trim() === '' ? '' : `${lines.map((line) => `          | ${line}`).join('\n')}\n`;
  const mark = ok ? 'ok  ' : 'FAIL';
  const time = `${Math.round(ms)} ms`.padStart(9);
  return printable(`${mark} ${name.padEnd(6)} ${time}  ${text}\n${said}`);
}
