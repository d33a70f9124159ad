import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import type { FormEvent } from 'react'

export type AppForm<Values extends Record<string, unknown>> = UseFormReturnType<Values> & {
  /** For `<form onSubmit>`. `submit` runs only when every field is right. */
  handleSubmit: (submit: (values: Values) => unknown) => (event: FormEvent<HTMLFormElement>) => void
}

/**
 * A form with one schema, `validate`: a rule for each field. A wrong field is told when it is left and when the form is
 * sent; the first wrong one then gets the focus. What was typed is never lost: nothing but `reset` clears a field.
 */
export function useAppForm<Values extends Record<string, unknown>>(input: UseFormInput<Values>): AppForm<Values> {
  const form = useForm<Values>({ validateInputOnBlur: true, clearInputErrorOnChange: true, ...input })
  return {
    ...form,
    handleSubmit: (submit) => (event) => {
      const element = event.currentTarget
      form.onSubmit(
        (values) => void submit(values),
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
