import { Button, Group } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { errorMessageOf } from '../lib/api/error-message-of.ts'
import { FormFailure } from './form-failure.tsx'

type Props = {
  /** What the button says that sends the form. */
  submit: string
  pending: boolean
  /** What is said above the reason when the form was refused. */
  failed: string
  error: Error | null | undefined
  /** In a dialog: the way out. */
  onCancel?: (() => void) | undefined
}

/** How a form ends: why it was refused, and the button that sends it. */
export function FormFoot({ submit, pending, failed, error, onCancel }: Props) {
  return (
    <div>
      <FormFailure title={failed} message={error ? errorMessageOf(error) : undefined} />
      <Group justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={pending}>
            {commonTexts.cancel}
          </Button>
        )}
        <Button type="submit" loading={pending}>
          {submit}
        </Button>
      </Group>
    </div>
  )
}
