import { commonTexts } from '@ovation/contract/texts/common'
import { FunctionsFetchError, FunctionsHttpError } from '@supabase/supabase-js'
import { supabase } from './supabase.ts'

/**
 * Calls a server function (API-FN).
 * @throws an `Error` whose message is the server's own sentence, fit to be shown.
 */
export async function invoke<Answer>(name: string, body?: Record<string, unknown>): Promise<Answer> {
  const { data, error } = await supabase.functions.invoke<Answer & { error?: unknown }>(name, { body })
  if (error) throw new Error(await sentenceOf(error))
  // Some functions answer 200 with an error in the body (API-FN-02, API-FN-03).
  if (data && typeof data === 'object' && 'error' in data && data.error)
    throw new Error(sentenceIn(data) ?? commonTexts.somethingWrong.title)
  return data as Answer
}

async function sentenceOf(error: unknown): Promise<string> {
  if (error instanceof FunctionsHttpError) {
    const body: unknown = await (error.context as Response).json().catch(() => undefined)
    return sentenceIn(body) ?? error.message
  }
  if (error instanceof FunctionsFetchError) return commonTexts.offline
  return error instanceof Error ? error.message : String(error)
}

function sentenceIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message } = body as { error?: unknown; message?: unknown }
  if (typeof error === 'string') return error
  return typeof message === 'string' ? message : sentenceIn(error)
}
