import { FunctionFailure } from '../../lib/api/functions.ts'

export type Attempts = ReturnType<typeof openAttempts>

/**
 * Identifies each payment attempt, so that it is charged once. Without a response, the client doesn't know whether the card was charged:
 * the next click on the same button repeats the attempt, and the server returns its result. Any response ends the attempt.
 */
export function openAttempts() {
  let open: { readonly order: string; readonly id: string } | undefined
  return {
    async make<Result>(order: object, charge: (attemptId: string) => Promise<Result>): Promise<Result> {
      const text = JSON.stringify(order)
      const attempt = open?.order === text ? open : { order: text, id: crypto.randomUUID() }
      open = attempt
      try {
        const result = await charge(attempt.id)
        open = undefined
        return result
      } catch (error) {
        if (error instanceof FunctionFailure && error.answered) open = undefined
        throw error
      }
    },
  }
}
