import { commonTexts } from '@ovation/contract/texts/common'
import { apiUrl } from './api-url.ts'
import { fetchAsCaller } from './supabase.ts'

/** The error response of a server function (server/functions/render-error.ts). */
export type Refusal = {
  error?: string
  code?: string
  /** The field of the body that was rejected. */
  field?: string
  message?: string
  /** How to fix it, and where to read more (ONB-18). */
  instructions?: string
  learn_more_url?: string
}

/** A server function rejected the call or couldn't be reached. `message` is a readable sentence. */
export class FunctionFailure extends Error {
  readonly refusal: Refusal
  /** False when there was no response, or one that isn't ours. */
  readonly answered: boolean

  constructor(refusal: Refusal | null) {
    super(refusal?.error ?? refusal?.message ?? commonTexts.offline)
    this.name = 'FunctionFailure'
    this.refusal = refusal ?? {}
    this.answered = refusal !== null
  }
}

/**
 * Calls a function of `functions/v1` and returns its response.
 * @throws FunctionFailure for every failure: a status other than 2xx, and a 2xx response with `error` or `success: false`.
 */
export async function callFunction<Result>(name: string, body?: Record<string, unknown>): Promise<Result> {
  // Loads with the first call, which on most screens is a click.
  const { FunctionsClient, FunctionsHttpError } = await import('@supabase/functions-js')
  const functions = new FunctionsClient(apiUrl('functions'), { customFetch: fetchAsCaller })
  const { data, error } = await functions.invoke(name, { body })
  if (error) throw new FunctionFailure(error instanceof FunctionsHttpError ? await refusalIn(error.context) : null)
  if (isRefusal(data)) throw new FunctionFailure(data)
  return data
}

async function refusalIn(response: Response): Promise<Refusal | null> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}

const isRefusal = (data: unknown): data is Refusal =>
  typeof data === 'object' &&
  data !== null &&
  (('error' in data && Boolean(data.error)) || ('success' in data && data.success === false))
