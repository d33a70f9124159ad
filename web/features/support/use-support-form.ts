import { supportTexts } from '@ovation/contract/texts/support'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../lib/auth/session.tsx'
import { useViewer } from '../../lib/auth/viewer.ts'
import { looksLikeEmail } from '../../lib/forms/validators.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type SupportRequestValues, submitRequest } from './submit-request.ts'

const texts = supportTexts.form
const required = ['name', 'email', 'subject', 'message'] as const
const blank: SupportRequestValues = { name: '', email: '', subject: '', category: '', priority: 'normal', message: '' }

const present = (error: string) => (value: string) => (value.trim() ? null : error)

/** The request form (SUPP-05..SUPP-13), with the name and email address of a signed-in user. */
export function useSupportForm() {
  const { user } = useSession()
  const viewer = useViewer()
  const [tried, setTried] = useState(false)
  const form = useAppForm({
    initialValues: blank,
    validate: {
      name: present(texts.errors.name),
      email: (value) => present(texts.errors.email)(value) ?? (looksLikeEmail(value) ? null : texts.errors.emailWrong),
      subject: present(texts.errors.subject),
      message: present(texts.errors.message),
    },
    // The name and email address come from the account, if any.
    draft: { key: 'support', omit: ['name', 'email'] },
  })

  const name = viewer?.displayName || viewer?.username || ''
  const email = user?.email ?? ''
  const prefill = useEffectEvent((person: { name: string; email: string }) => {
    // Keep what was typed, also when the session ends or the profile loads late.
    if (!form.isDirty('name')) form.setFieldValue('name', person.name)
    if (!form.isDirty('email')) form.setFieldValue('email', person.email)
    form.setInitialValues({ ...blank, ...person })
  })
  useEffect(() => prefill({ name, email }), [name, email])

  const sending = useMutation({
    mutationFn: (values: SupportRequestValues) => submitRequest(values, user?.id ?? null),
    onSuccess: () => {
      setTried(false)
      form.forgetDraft()
      form.reset()
      toast.success(texts.sent.message, texts.sent.title)
    },
  })
  const send = form.handleSubmit((values) => sending.mutateAsync(values))

  return {
    form,
    submit: (event: FormEvent<HTMLFormElement>) => {
      if (sending.isPending) return event.preventDefault()
      setTried(true)
      sending.reset()
      send(event)
    },
    pending: sending.isPending,
    failed: sending.isError,
    /** SUPP-06. Disappears once every field is filled in. */
    missing: tried && required.some((field) => !form.values[field].trim()),
  }
}

export type SupportForm = ReturnType<typeof useSupportForm>
