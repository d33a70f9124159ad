import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endDescendantsWithThisProcess } from '../testing/end-with-run.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Outcome = { readonly code: number; readonly output: string; readonly seconds: number }

/**
 * Runs a program from the repository's root. With `quiet` its output is kept for the caller, else it goes straight through. The program
 * ends with this process.
 */
export function run(command: string, args: readonly string[], { quiet = false, env = {} } = {}): Promise<Outcome> {
  endDescendantsWithThisProcess()
  const startedAt = performance.now()
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    const finish = (code: number) => done({ code, output, seconds: (performance.now() - startedAt) / 1000 })
    child.once('error', (error) => {
      output += error.message
      finish(1)
    })
    // Not at its exit: the rest of its output may still be on the way.
    child.once('close', (code) => finish(code ?? 1))
  })
}

/** Runs one of our TypeScript programs, or a package's, on the Node that npm brought. */
export function runNode(
  args: readonly string[],
  options: { quiet?: boolean; env?: Record<string, string> } = {},
): Promise<Outcome> {
  return run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], options)
}
