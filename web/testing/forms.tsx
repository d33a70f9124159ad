import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { network } from './network.ts'
import { renderPart } from './render-route.tsx'
import { signIn } from './sign-in.ts'

/** A form, and how a user fills it in. */
export type Form = {
  name: string
  part: ReactNode
  /** What the screen loads before the form appears. */
  reads?: () => void
  /** The clicks that lead to it. */
  opens?: readonly string[]
  /** Values by label. */
  typed: Readonly<Record<string, string>>
  /** Fields without a draft: secrets, and files, which a browser can't restore. */
  forgotten?: readonly string[]
  files?: readonly string[]
  /** Invalid values, the first field with an error, and its message. Omit it if nothing can be invalid. */
  wrong?: { typed: Readonly<Record<string, string>>; first: string; says: string }
  /** The request that submits it. */
  sends: readonly [method: 'post' | 'patch' | 'put', path: string]
  submit: string
}

/** Tomorrow as a local time; the year comes from the clock, so that it stays in the future. */
export function soon(): string {
  const day = new Date(Date.now() + 86_400_000)
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}T18:30`
}

const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}( \\*)?$`))

async function show({ part, reads, opens = [], typed, files = [] }: Form) {
  signIn({ is_creator: true, is_verified: true })
  reads?.()
  renderPart(part)
  for (const name of opens) await userEvent.click(await screen.findByRole('button', { name }))
  const [first = ''] = [...Object.keys(typed), ...files]
  await screen.findByLabelText(new RegExp(`^${first}( \\*)?$`))
}

/** Fills in fields, by label. */
export function type(values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } })
}

const theForm = (label: string) => {
  const form = field(label).closest('form')
  if (!form) throw new Error('the field stands in no form')
  return form
}

/** Every form has to pass the same test: each file passes its own forms. */
export const holdForms = (forms: readonly Form[]) =>
  describe('keeps drafts, sends nothing twice, and shows errors at their fields', () => {
    it.each(forms)('$name', async (form) => {
      const { typed, forgotten = [], files = [], wrong, sends, submit } = form
      const [method, path] = sends
      let requests = 0
      let refuse: (() => void) | undefined
      const sent = () =>
        http[method](`*${path}`, async () => {
          requests += 1
          await new Promise<void>((resolve) => {
            refuse = resolve
          })
          return HttpResponse.json({ error: 'Out of order', message: 'Out of order', code: 'XX000' }, { status: 422 })
        })

      if (wrong) {
        await show(form)
        network.use(sent())
        type(wrong.typed)
        await userEvent.click(screen.getByRole('button', { name: submit }))
        const first = field(wrong.first)
        await waitFor(() => expect(first).toHaveFocus())
        expect(first).toHaveAttribute('aria-invalid', 'true')
        expect(first).toHaveAccessibleDescription(new RegExp(wrong.says.replace('$', '\\$').replace('+', '\\+')))
        expect(requests).toBe(0)
        cleanup()
        sessionStorage.clear()
      }

      await show(form)
      network.use(sent())
      type(typed)
      for (const label of files)
        await userEvent.upload(field(label), new File(['pixels'], 'id.png', { type: 'image/png' }))
      // A double click before any response or render.
      const [label = ''] = Object.keys(typed)
      fireEvent.submit(theForm(label))
      fireEvent.submit(theForm(label))
      await waitFor(() => expect(refuse).toBeDefined())
      refuse?.()
      expect(await screen.findByRole('alert')).toBeVisible()
      expect(requests).toBe(1)
      for (const [name, value] of Object.entries(typed)) expect(field(name), name).toHaveValue(value)

      // It can be sent again, and a reload restores everything but secrets.
      refuse = undefined
      fireEvent.submit(theForm(label))
      await waitFor(() => expect(refuse).toBeDefined())
      expect(requests).toBe(2)
      cleanup()
      await show(form)
      for (const [name, value] of Object.entries(typed))
        expect(field(name), name).toHaveValue(forgotten.includes(name) ? '' : value)
      for (const name of forgotten) expect(JSON.stringify({ ...sessionStorage })).not.toContain(typed[name])
    })
  })
