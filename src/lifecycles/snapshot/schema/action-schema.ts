/**
 * Schemas of the actions of a hook: an action in either spelling of the proposal (SNAP-G3), a session, a probe and a
 * recipe.
 */
import * as z from 'zod';

import {
  flag,
  intOrString,
  list,
  name,
  object,
  seconds,
  text,
  textMap,
} from '../../../controller/definitions/field-schemas.ts';
import {
  COMMAND_WORD_CHARACTERS_MAX,
  COMMAND_WORDS_MAX,
  NAME_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import {
  ACTION_SECONDS_MAX,
  EXPIRATION_SECONDS_MAX,
  HEADER_CHARACTERS_MAX,
  HEADERS_MAX,
  PATH_CHARACTERS_MAX,
  PROBE_SECONDS_MAX,
  READY_CHARACTERS_MAX,
  RECIPE_PARAMETER_CHARACTERS_MAX,
  WINDOW_SECONDS_MAX,
  WINDOW_SECONDS_MIN,
} from './limits.ts';

export function words(description: string): z.ZodArray<z.ZodString> {
  const word = text('One argument, passed unchanged.', COMMAND_WORD_CHARACTERS_MAX);
  return list(word, { description, min: 1, max: COMMAND_WORDS_MAX });
}

const command = words('The program and its arguments, passed unchanged, without a shell.');
const exec = object('Runs a command in the container.', { command });

const host = text(
  'The host to connect to; default: the address of the pod.',
  NAME_CHARACTERS_MAX,
).exactOptional();
const port = intOrString("A number from 1 to 65535, or the name of one of the container's ports.");

const header = object('One header.', {
  name: text('Its name.', HEADER_CHARACTERS_MAX).min(1),
  value: text('Its value.', HEADER_CHARACTERS_MAX),
});
const httpGet = object('Makes an HTTP GET request; an answer from 200 to 399 is a success.', {
  path: text('The path; "/" if not given.', PATH_CHARACTERS_MAX).exactOptional(),
  port,
  host,
  scheme: z.enum(['HTTP', 'HTTPS']).describe('HTTP if not given.').exactOptional(),
  httpHeaders: list(header, {
    description: 'Headers to send.',
    max: HEADERS_MAX,
  }).exactOptional(),
});
/** Accepted in a preAction or postAction, with a warning: it only checks the port (SNAP-G27). */
const tcpSocket = object(
  'Opens a TCP connection. It checks that the port accepts connections, and freezes nothing.',
  { port, host },
);

/**
 * With `client`, freeze and thaw share one session (SNAP-R36). Without it, the session helper in the container runs
 * `freeze` and `thaw` as commands.
 */
export const sessionSchema = object(
  'Only in a preAction: keeps the freeze in the container, and thaws by itself if it hears nothing from the controller.',
  {
    client: words(
      'A program that keeps running and reads statements, so that freeze and thaw happen in one session.',
    ).exactOptional(),
    /** With `client`: input lines for it. Without: a command as argv. */
    freeze: words(
      'With a client, the input lines that freeze; without one, the command that freezes.',
    ),
    thaw: words('With a client, the input lines that thaw; without one, the command that thaws.'),
    ready: text(
      'With a client only, and required there: the line of its output that confirms the freeze.',
      READY_CHARACTERS_MAX,
    ).exactOptional(),
    windowSeconds: seconds(
      'Dead-man window in seconds: the session thaws by itself if it hears nothing from the controller for this long; default: 15.',
      WINDOW_SECONDS_MIN,
      WINDOW_SECONDS_MAX,
    ).exactOptional(),
  },
);

const handlers = {
  exec: exec.exactOptional(),
  httpGet: httpGet.exactOptional(),
  tcpSocket: tcpSocket.exactOptional(),
};

const budget =
  'Maximum seconds for all attempts together, from the first start to the last end; 30 if not given.';
/** Default 30 s. The thaw has its own timeout (SNAP-G16). */
const actionTimeoutSeconds = seconds(budget, 1, ACTION_SECONDS_MAX);
/** Without it, an attempt with an unknown outcome is not retried (SNAP-G17). */
const idempotent = flag(
  'true: it may be retried after an attempt with an unknown outcome.',
).exactOptional();

export const actionSchema = z.strictObject({
  ...handlers,
  /** Allowed only in a preAction. */
  session: sessionSchema.exactOptional(),
  /** The spelling of the proposal's Go type (SNAP-G3). */
  action: object(
    'Alternative spelling: exec, httpGet or tcpSocket under this field.',
    handlers,
  ).exactOptional(),
  actionTimeoutSeconds: actionTimeoutSeconds.exactOptional(),
  idempotent,
});

export const resolvedActionSchema = z.strictObject({
  ...handlers,
  session: sessionSchema.exactOptional(),
  actionTimeoutSeconds,
  idempotent,
});

/** ExecuteOnce: one pod, with all its selected containers (SNAP-G6). */
export const policySchema = z
  .enum(['ExecuteOnce', 'ExecuteAll'])
  .describe(
    'Pods in which the actions run. ExecuteOnce: one of the selected pods. ExecuteAll, the default: all of them.',
  );

/**
 * Process: for example, a lock of a database session or a setting in a server's memory. Kernel: the lock stays in the
 * kernel of the node after the container has ended and the pod is deleted.
 */
export const lockScopeSchema = z
  .enum(['Process', 'Kernel'])
  .describe(
    'Lifetime of a freeze that is not thawed. Process, the default: it ends with the processes of the container. Kernel: it outlives the pod, as a frozen file system does.',
  );

export const rescueSchema = object(
  'For a Kernel lock: if the container can no longer thaw, a pod on the same node with the same volumes runs the thaw.',
  {
    image: text(
      'The image of the rescue pod; default: the image of the container.',
      PATH_CHARACTERS_MAX,
    )
      .min(1)
      .exactOptional(),
  },
);

const probe = object(
  'Checks whether the freeze is in force: exit code 0 means yes. Runs after the preAction and after the cut.',
  {
    exec,
    timeoutSeconds: seconds(
      'Timeout of one probe in seconds; 10 if not given.',
      1,
      PROBE_SECONDS_MAX,
    ).exactOptional(),
  },
);

export const recipeSchema = object('A built-in recipe, in place of actions.', {
  name: name('Name of the recipe: "lifehook recipes list" lists them.'),
  parameters: textMap(
    'Its parameters; "lifehook recipes show" lists them.',
    RECIPE_PARAMETER_CHARACTERS_MAX,
  ).exactOptional(),
});

/** The fields of a template, and of a hook that defines its own actions. */
export const actionsSchema = z.strictObject({
  /** ExecuteAll by default (SNAP-G5). */
  policy: policySchema.exactOptional(),
  preAction: actionSchema
    .describe('Action that freezes, at the start of the hook. Exactly one of its handlers.')
    .exactOptional(),
  postAction: actionSchema
    .describe(
      'The thaw: runs in each container in which the preAction was started. Absent: there is nothing to undo, or the session or the recipe has its own thaw.',
    )
    .exactOptional(),
  probe: probe.exactOptional(),
  lockScope: lockScopeSchema.exactOptional(),
  rescue: rescueSchema.exactOptional(),
  recipe: recipeSchema.exactOptional(),
  /** Enforced by the controller (SNAP-R22). */
  expirationSeconds: seconds(
    'Maximum seconds from the first preAction to the thaw, which then starts by itself.',
    1,
    EXPIRATION_SECONDS_MAX,
  ).exactOptional(),
  /** Accepted with a warning; two different values are refused (SNAP-G2). */
  expirationTimeSeconds: seconds(
    'Another spelling of expirationSeconds.',
    1,
    EXPIRATION_SECONDS_MAX,
  ).exactOptional(),
});
