import { Button } from '@mantine/core'
import { billingTexts as texts } from '@ovation/contract/texts/billing'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'

type Props = {
  to: 'save-card' | 'create-portal-session'
  label: string
  /** A longer accessible name where the label alone is ambiguous. */
  named?: string
  /** Mantine's variant of the button. */
  variant?: 'default' | 'light'
}

/** Opens a page of the payment provider, which returns here. */
export function StripePageButton({ to, label, named, variant = 'default' }: Props) {
  const { pathname, search } = useLocation()
  const leave = useMutation({
    // Removes `card` from the return URL: an earlier card would be taken for the new one.
    mutationFn: () =>
      callFunction<{ url: string }>(to, { returnPath: to === 'save-card' ? pathname : pathname + search }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast.error(error.message, texts.error),
  })
  return (
    <Button
      variant={variant}
      loading={leave.isPending || leave.isSuccess}
      onClick={() => leave.mutate()}
      aria-label={named}
    >
      {label}
    </Button>
  )
}
