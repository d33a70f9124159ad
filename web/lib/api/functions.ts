import { commonTexts } from '@ovation/contract/texts/common'
import { apiUrl } from './api-url.ts'
import { fetchAsCaller } from './supabase.ts'

/** What a server function says when it refuses (server/functions/render-error.ts). */
export type Refusal = {
  error?: string
  code?: string
  /** The name in the body that the refusal is about. */
  field?: string
  message?: string
  /** What can be done about it, and where to read more (ONB-18). */
  instructions?: string
  learn_more_url?: string
}

/** A server function refused or could not be reached. `message` is a sentence for people. */
export class FunctionFailure extends Error {
  readonly refusal: Refusal
  /** False when no answer came, or one that is none of ours. */
  readonly answered: boolean

  constructor(refusal: Refusal | null) {
    super(refusal?.error ?? refusal?.message ?? commonTexts.offline)
    this.name = 'FunctionFailure'
    this.refusal = refusal ?? {}
    this.answered = refusal !== null
  }
}

/**
 * Calls a function of `functions/v1` and hands back its answer.
 * @throws FunctionFailure for every refusal: a status other than 2xx, and a 2xx answer that carries `error` or `success: false`.
 */
export async function callFunction<Answer>(name: string, body?: Record<string, unknown>): Promise<Answer> {
  // Its code loads with the first call: on most screens that is a press of a button.
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
