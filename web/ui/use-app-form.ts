import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { forgetDraft, readDraft, writeDraft } from '../lib/forms/draft.ts'
import { afterPress } from './after-press.ts'

export type AppForm<Values extends Record<string, unknown>> = UseFormReturnType<Values> & {
  /**
   * For `<form onSubmit>`. `submit` runs only when every field is right, and not again before it has ended: two presses are one
   * request. What it rejects with is its mutation's to show (`mutateAsync`).
   */
  handleSubmit: (submit: (values: Values) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => void
  /** The server refused one field: it says why, and has the focus. */
  refuse: (field: keyof Values & string, words: string) => void
  /** The server did not take what this field holds: it has the focus, and what is typed next replaces it. */
  askAgain: (field: keyof Values & string) => void
  /** Once the form has been sent: what was typed is not brought back any more. */
  forgetDraft: () => void
}

type Input<Values extends Record<string, unknown>> = UseFormInput<Values> & {
  /** Keeps what is typed over a reload and a sign-in. The key names the form, and the person where it is about one. */
  draft?: {
    key: string
    /** Secrets, which are never kept. */
    omit?: readonly (keyof Values & string)[]
  }
}

/**
 * A form with one schema, `validate`: a rule for each field. A wrong field is told when it is left after something was typed
 * in it, and when the form is sent; the first wrong one then gets the focus. What was typed is never lost: nothing but `reset` clears a field.
 */
export function useAppForm<Values extends Record<string, unknown>>({
  draft,
  validateInputOnBlur = true,
  ...input
}: Input<Values>): AppForm<Values> {
  const [kept] = useState(() => keptOf(draft, input.initialValues))
  // Mantine's own `isTouched` is true of a field that only had the focus.
  const changed = useRef(new Set<string>())
  const form = useForm<Values>({
    clearInputErrorOnChange: true,
    ...input,
    enhanceGetInputProps: ({ form, field, options }) =>
      validateInputOnBlur && options.withFocus
        ? { onBlur: () => afterPress(() => changed.current.has(String(field)) && void form.validateField(field)) }
        : undefined,
    onValuesChange: (values, before) => {
      input.onValuesChange?.(values, before)
      for (const name of Object.keys(values)) if (values[name] !== before[name]) changed.current.add(name)
      if (draft) writeDraft(draft.key, without(values, draft.omit))
    },
  })

  // After mount, not as initial values: `reset` and `isDirty` go by what was there before anything was typed.
  const restore = useEffectEvent(() => form.setValues(kept))
  useEffect(() => {
    if (Object.keys(kept).length > 0) restore()
  }, [kept])

  /** The element: a screen may have two forms with fields of the same name. */
  const sent = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const sendOnce = async (work: () => Promise<unknown>) => {
    if (sending.current) return
    sending.current = true
    try {
      await work()
    } catch {
      // Shown already, by the mutation that failed.
    } finally {
      sending.current = false
    }
  }

  return {
    ...form,
    forgetDraft: () => draft && forgetDraft(draft.key),
    refuse: (field, words) => {
      form.setFieldError(field, words)
      if (sent.current) focusFirst(sent.current, [field])
    },
    askAgain: (field) => {
      const input = form.getInputNode(field)
      if (!(input instanceof HTMLInputElement)) return
      input.focus()
      input.select()
    },
    handleSubmit: (submit) => (event) => {
      const element = event.currentTarget
      sent.current = element
      form.onSubmit(
        (values) => void sendOnce(() => submit(values)),
        (errors) => focusFirst(element, Object.keys(errors)),
      )(event)
    },
  }
}

/** The first in the order of the page, which is the order people read in; the errors come in the schema's order. */
function focusFirst(form: HTMLFormElement, names: string[]): void {
  const inputs = [...form.querySelectorAll<HTMLElement>('[data-path]')]
  inputs.find((input) => names.includes(input.dataset.path ?? ''))?.focus()
}

/** Of what was kept, the fields that the form has and may keep: it may have been another release's form. */
function keptOf<Values extends Record<string, unknown>>(
  draft: Input<Values>['draft'],
  initial: Values | undefined,
): Partial<Values> {
  if (!draft || !initial) return {}
  const fields = Object.entries(readDraft(draft.key)).filter(
    ([name, value]) => name in initial && isAlike(value, initial[name]) && !draft.omit?.includes(name),
  )
  return Object.fromEntries(fields) as Partial<Values>
}

/** A field of a number is empty text until something is typed. */
const isAlike = (one: unknown, other: unknown): boolean => kindOf(one) === kindOf(other)
const kindOf = (value: unknown) => (typeof value === 'number' ? 'string' : Array.isArray(value) ? 'list' : typeof value)

function without(values: Record<string, unknown>, names: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}
