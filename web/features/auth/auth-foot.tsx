import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFailure } from '../../ui/form-failure.tsx'

type Props = {
  title?: string
  /** Why it was refused; nothing while it was not. */
  failure: string | undefined
  /** What else can be done about that. */
  children?: ReactNode
  submit: string
  pending: boolean
  /** Where there is no form to send. */
  onClick?: () => void
}

/** How a step of signing in ends: why it was refused, and its one button, as wide as the step. */
export function AuthFoot({ title, failure, children, submit, pending, onClick }: Props) {
  return (
    <div>
      <FormFailure title={title} message={failure} />
      {children}
      <Button type={onClick ? 'button' : 'submit'} onClick={onClick} loading={pending} fullWidth size="md">
        {submit}
      </Button>
    </div>
  )
}
