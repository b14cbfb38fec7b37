/** Which fault happens next: by order of a test, or by dice that a seed repeats. */
export type RequestFault =
  /** The connection breaks before an answer. */
  | 'reset'
  /** 503 and 429 with Retry-After. */
  | 'unavailable'
  | 'tooMany'
  | 'broken'
  | 'late'
  /** 410 for a watch, or for a page after the first. */
  | 'expired'
  /** A watch is sent on with a position that the server has long forgotten: its own 410. */
  | 'forgotten'
  /** The body of a list breaks off. */
  | 'cutBody';

export type LineFault =
  | 'delay'
  | 'duplicate'
  /** All events of this watch so far once more. */
  | 'replay'
  | 'resetMidLine'
  /** Half an event and then an end in order. */
  | 'truncate'
  | 'cut'
  /** Nothing more is sent on, and nothing is closed. */
  | 'stall'
  | 'expiredEvent'
  | 'garbage';

export type Fault = RequestFault | LineFault;

export interface FaultSource {
  request(about: { readonly watch: boolean; readonly page: boolean }): RequestFault | null;
  line(): LineFault | null;
}

/** Numbers from 0 to 1 that the seed repeats. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ON_ANY: readonly RequestFault[] = ['reset', 'unavailable', 'tooMany', 'broken', 'late'];
const ON_LINES: readonly LineFault[] = [
  'delay',
  'duplicate',
  'replay',
  'resetMidLine',
  'truncate',
  'cut',
  'stall',
  'expiredEvent',
  'garbage',
];

/** `rate` is the share of the requests and of the events that something happens to. */
export function faultDice(random: () => number, rate: number): FaultSource {
  const roll = <T>(from: readonly T[]): T | null =>
    random() < rate ? (from[Math.floor(random() * from.length)] ?? null) : null;
  return {
    request: ({ watch, page }) => {
      if (watch) return roll([...ON_ANY, 'expired', 'forgotten']);
      return roll<RequestFault>(page ? [...ON_ANY, 'cutBody', 'expired'] : [...ON_ANY, 'cutBody']);
    },
    line: () => roll(ON_LINES),
  };
}

/** All of them, in no order that matters. */
export const ALL_FAULTS: readonly Fault[] = [
  ...ON_ANY,
  'expired',
  'forgotten',
  'cutBody',
  ...ON_LINES,
];

/** One of this kind as soon as there is occasion for it, and whatever the other has from then on. */
export function firstThen(first: Fault, then: FaultSource): FaultSource {
  const ordered = new OrderedFaults();
  ordered.order(first);
  return {
    request: (about) => ordered.request(about) ?? then.request(about),
    line: () => ordered.line() ?? then.line(),
  };
}

/** Each of those once, as soon as there is occasion for it. */
export class OrderedFaults implements FaultSource {
  readonly #waiting: Fault[] = [];

  order(fault: Fault): void {
    this.#waiting.push(fault);
  }

  request({ watch, page }: { watch: boolean; page: boolean }): RequestFault | null {
    const [next] = this.#waiting;
    const fits =
      (next === 'expired' && (watch || page)) ||
      (next === 'forgotten' && watch) ||
      (next === 'cutBody' && !watch) ||
      ON_ANY.some((one) => one === next);
    return fits ? ((this.#waiting.shift() as RequestFault | undefined) ?? null) : null;
  }

  line(): LineFault | null {
    const [next] = this.#waiting;
    if (!ON_LINES.some((one) => one === next)) return null;
    return (this.#waiting.shift() as LineFault | undefined) ?? null;
  }
}
