import { Alert, Button, Group, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconReceiptRefund } from '@tabler/icons-react'
import { type ReturnedPayment, refundWords } from './refund-words.ts'

type Props = {
  refund: ReturnedPayment
  kind: Parameters<typeof refundWords>[1]
  onClose?: () => void
}

/** Where the payer returns to: the payment was refunded, when, and what that means. */
export function RefundNote({ refund, kind, onClose }: Props) {
  const { title, message } = refundWords(refund, kind)
  return (
    <Alert color="gray" mb="md" role="status" title={title} icon={<IconReceiptRefund size={20} stroke={1.6} />}>
      <Group justify="flex-end" gap="sm">
        <Text size="sm" flex="1 1 16rem">
          {message}
        </Text>
        {onClose && (
          <Button variant="default" onClick={onClose}>
            {commonTexts.close}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
