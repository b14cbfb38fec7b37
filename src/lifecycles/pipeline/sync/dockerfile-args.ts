/** The build arguments before the first stage of a Dockerfile, which its FROM instructions may name. Pure. */

/** Values of build arguments by name; null: the value is not known before the build. */
export type BuildArguments = Readonly<Record<string, string | null>>;

export class GlobalArguments {
  readonly #given: BuildArguments;
  readonly #values = new Map<string, string | null>();

  /** `given`: the values that replace the defaults of the Dockerfile. */
  constructor(given: BuildArguments) {
    this.#given = given;
  }

  /** `rest`: the text after ARG, such as `A=1 B`. */
  declare(rest: string): void {
    for (const word of rest.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []) {
      const [, name = '', set, value = ''] = /^([A-Za-z_]\w*)(=?)(.*)$/.exec(word) ?? [];
      if (Object.hasOwn(this.#given, name)) this.#values.set(name, this.#given[name] ?? null);
      else if (set === '=') this.#values.set(name, this.expand(value.replaceAll(/["']/g, '')));
    }
  }

  /** Replaces the variables whose values are known; the others stay. */
  expand(text: string): string {
    return text.replaceAll(
      /\$(?:(\w+)|\{(\w+)(?::?-([^${}]*))?\})/g,
      (whole, ...[bare, braced, otherwise]: (string | undefined)[]) => {
        const name = bare ?? braced ?? '';
        const value = OF_THE_BUILD.test(name) ? null : this.#values.get(name);
        return (value === undefined ? otherwise : value) ?? whole;
      },
    );
  }
}

/** Arguments that every build has. */
const OF_THE_BUILD = /^(?:TARGET|BUILD)(?:PLATFORM|OS|OSVERSION|ARCH|VARIANT)$/;
