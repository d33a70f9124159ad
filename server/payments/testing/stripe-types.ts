import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Stripe from 'stripe'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** `Parameter<Method, ['line_items', '', 'price']>` is the type of that parameter in Stripe's own declarations; never if it has none. */
const declarations = `import type Stripe from 'stripe'

type Field<T, K extends string> = T extends readonly (infer Element)[]
  ? K extends '' ? Element : never
  : T extends object ? (K extends keyof T ? T[K] : string extends keyof T ? T[string] : never) : never
type At<T, Path extends readonly string[]> =
  Path extends readonly [infer K extends string, ...infer Rest extends readonly string[]] ? At<Field<T, K>, Rest> : T
type Params<Method> = Method extends (id: string, params?: infer P, options?: infer _) => unknown
  ? string extends Parameters<Method>[0] ? P : Parameters<Method>[0]
  : Method extends (params: infer P, ...rest: never) => unknown ? P : never
type Parameter<Method, Path extends readonly string[]> = At<Params<Method>, Path>
declare function known<T>(...none: [T] extends [never] ? ['Stripe knows no such parameter'] : []): void
`

/**
 * Checks calls against the installed SDK: each must be one that a method of it makes, and each parameter must be in that method's
 * declarations, as `tsc` sees them.
 * @param calls by `POST /v1/refunds`, with parameters as `transfer_data[destination]` and `line_items[][price]`.
 * @returns what Stripe doesn't know; empty if all is well.
 */
export async function unknownToStripe(calls: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const methods = methodsOfSdk()
  const unknown: string[] = []
  const lines: { readonly says: string; readonly code: string }[] = []
  for (const [call, parameters] of calls) {
    const method = methods.get(call)
    if (!method) unknown.push(call)
    else
      for (const name of parameters)
        lines.push({ says: `${call} ${name}`, code: `known<Parameter<${method}, ${JSON.stringify(pathOf(name))}>>()` })
  }
  const first = declarations.split('\n').length
  const wrong = await compile(`${declarations}${lines.map(({ code }) => code).join('\n')}\n`)
  return [...unknown, ...wrong.map((line) => lines[line - first]?.says ?? `line ${line} of the declarations`)]
}

/** `line_items[][price]` → `line_items`, ``, `price`: a list's element has no name. */
const pathOf = (parameter: string): string[] => parameter.replaceAll(']', '').split('[')

/** The type of each request that the SDK can make: `POST /v1/refunds` → `Stripe['refunds']['create']`. */
function methodsOfSdk(): Map<string, string> {
  const methods = new Map<string, string>()
  const walk = (resource: object, type: string, depth: number) => {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource) ?? {})) {
      const source = String(Reflect.get(resource, name))
      const [, verb, path] = /_makeRequest\('([A-Z]+)', ['`]([^'`]+)['`]/.exec(source) ?? []
      if (verb && path) methods.set(`${verb} ${path.replaceAll(/\$\{.+?\}/g, '{id}')}`, `${type}['${name}']`)
    }
    for (const [name, child] of Object.entries(resource))
      if (depth < 2 && name !== 'stripe' && !name.startsWith('_') && typeof child === 'object' && child !== null)
        walk(child, `${type}['${name}']`, depth + 1)
  }
  walk(new Stripe('sk_test_none'), 'Stripe', 0)
  return methods
}

/** @returns the numbers of the lines that don't compile. */
async function compile(source: string): Promise<number[]> {
  // Inside the repository, where `stripe` can be resolved.
  mkdirSync(join(root, 'test-output'), { recursive: true })
  const folder = mkdtempSync(join(root, 'test-output/stripe-types-'))
  try {
    const file = join(folder, 'calls.ts')
    writeFileSync(file, source)
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--pretty',
      'false',
      '--ignoreConfig',
    ]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const said = await new Promise<string>((resolve) =>
      execFile(process.execPath, [tsc, ...options, file], { cwd: root }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      ),
    )
    const wrong = [...said.matchAll(/calls\.ts\((\d+),/g)].map(([, line]) => Number(line))
    if (said.trim() !== '' && wrong.length === 0) throw new Error(said)
    return wrong
  } finally {
    rmSync(folder, { recursive: true })
  }
}
