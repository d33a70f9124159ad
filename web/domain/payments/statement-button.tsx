import { Button } from '@mantine/core'
import { billingTexts } from '@ovation/contract/texts/billing'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'

const texts = billingTexts.statement

/** Downloads the creator's ledger as CSV. Each line has a hash that chains it to the previous one. */
export function StatementButton() {
  const download = useMutation({
    mutationFn: () => callFunction<{ url: string }>('export-statement'),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast.error(error.message, texts.error),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.6} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {texts.download}
    </Button>
  )
}
