import { Button, Text } from '@mantine/core'
import { adminTexts } from '@ovation/contract/texts/admin'
import { useMutation } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import classes from './details-dialog.module.css'

const texts = adminTexts.details

/** The last four digits; the full number only on demand, and the server logs each access (ADM-14, D10). */
export function SsnReveal({ applicationId, last4 }: { applicationId: string; last4: string }) {
  const reveal = useMutation({
    // Never cached: it is dropped with the dialog.
    gcTime: 0,
    mutationFn: async () => {
      const { data } = await supabase.rpc('reveal_ssn', { application_id: applicationId }).throwOnError()
      return data
    },
  })
  return (
    <>
      <span className={classes.ssn} role="status">
        {reveal.data ?? (
          <>
            <span aria-hidden="true">{texts.ssnMasked(last4)}</span>
            <span className="visually-hidden">{texts.ssnSpoken(last4)}</span>
          </>
        )}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => (reveal.data ? reveal.reset() : reveal.mutate())}
        loading={reveal.isPending}
      >
        {reveal.data ? texts.hide : texts.reveal}
      </Button>
      <Text size="sm" c="dimmed" className={classes.hint}>
        {texts.revealHint}
      </Text>
      {reveal.isError && (
        <Text size="sm" c="error" role="alert" className={classes.hint}>
          {texts.revealFailed}: {errorMessageOf(reveal.error)}
        </Text>
      )}
    </>
  )
}
