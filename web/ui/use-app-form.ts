import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DraftPlace, forgetDraft, readDraft, writeDraft } from '../lib/forms/draft.ts'
import { afterPress } from './after-press.ts'

export type AppForm<Values extends Record<string, unknown>> = UseFormReturnType<Values> & {
  /**
   * For `<form onSubmit>`. Runs `submit` only when every field is valid, and not again until it has finished, so that a double click sends
   * one request. The mutation shows its own failure (`mutateAsync`).
   */
  handleSubmit: (submit: (values: Values) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => void
  /** Shows the server's error on a field and focuses it. */
  showError: (field: keyof Values & string, message: string) => void
  /** Focuses a field whose value the server rejected and selects it, so that typing replaces it. */
  selectField: (field: keyof Values & string) => void
  /** Call this after a successful submit: deletes the draft. */
  forgetDraft: () => void
}

type Input<Values extends Record<string, unknown>> = UseFormInput<Values> & {
  /** Keeps a draft across reloads and sign-in. The key names the form, and the user if the form is about one. */
  draft?: {
    key: string
    /** Where it is kept; for this tab by default. */
    place?: DraftPlace
    /** Secret fields, which are never stored. */
    omit?: readonly (keyof Values & string)[]
  }
}

/**
 * A form with one schema, `validate`, that has a rule for each field. An invalid field shows its error when it loses the focus after a
 * change, and on submit; submit then focuses the first invalid one. Only `reset` clears a field.
 */
export function useAppForm<Values extends Record<string, unknown>>({
  draft,
  validateInputOnBlur = true,
  ...input
}: Input<Values>): AppForm<Values> {
  const [restored] = useState(() => restorableFields(draft, input.initialValues))
  // Mantine's `isTouched` is also true for a field that only had the focus.
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
      if (draft) writeDraft(draft.key, without(values, draft.omit), draft.place)
    },
  })

  // After mount, not as initial values: `reset` and `isDirty` compare against the values before any typing.
  const restore = useEffectEvent(() => form.setValues(restored))
  useEffect(() => {
    if (Object.keys(restored).length > 0) restore()
  }, [restored])

  /** The element: a screen may have two forms with fields of the same name. */
  const sent = useRef<HTMLFormElement>(null)
  const sending = useRef(false)
  const sendOnce = async (work: () => Promise<unknown>) => {
    if (sending.current) return
    sending.current = true
    try {
      await work()
    } catch {
      // The failed mutation shows it already.
    } finally {
      sending.current = false
    }
  }

  return {
    ...form,
    forgetDraft: () => draft && forgetDraft(draft.key, draft.place),
    showError: (field, message) => {
      form.setFieldError(field, message)
      if (sent.current) focusFirst(sent.current, [field])
    },
    selectField: (field) => {
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

/** The first invalid field in page order; the errors come in schema order. */
function focusFirst(form: HTMLFormElement, names: string[]): void {
  const inputs = [...form.querySelectorAll<HTMLElement>('[data-path]')]
  inputs.find((input) => names.includes(input.dataset.path ?? ''))?.focus()
}

/** The draft's fields that this form has and may keep: an older release may have stored it. */
function restorableFields<Values extends Record<string, unknown>>(
  draft: Input<Values>['draft'],
  initial: Values | undefined,
): Partial<Values> {
  if (!draft || !initial) return {}
  const fields = Object.entries(readDraft(draft.key, draft.place)).filter(
    ([name, value]) => name in initial && isSameKind(value, initial[name]) && !draft.omit?.includes(name),
  )
  return Object.fromEntries(fields) as Partial<Values>
}

/** A number field is an empty string until something is typed. */
const isSameKind = (one: unknown, other: unknown): boolean => kindOf(one) === kindOf(other)
const kindOf = (value: unknown) => (typeof value === 'number' ? 'string' : Array.isArray(value) ? 'list' : typeof value)

function without(values: Record<string, unknown>, names: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}
