import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFailure } from '../../ui/form-failure.tsx'

type Props = {
  title?: string
  /** The server's error, if any. */
  failure: string | undefined
  /** Other ways forward after the error. */
  children?: ReactNode
  submit: string
  pending: boolean
  /** For a step without a form. */
  onClick?: () => void
}

/** The end of a sign-in step: the error and one full-width button. */
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
