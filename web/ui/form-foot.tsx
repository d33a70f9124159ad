import { Button, Group } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { errorMessageOf } from '../lib/api/error-message-of.ts'
import { FormFailure } from './form-failure.tsx'

type Props = {
  /** The label of the submit button. */
  submit: string
  pending: boolean
  /** The title above the reason when the form was rejected. */
  failed: string
  error: Error | null | undefined
  /** In a dialog: closes it. */
  onCancel?: (() => void) | undefined
  /** Another form of the screen has the primary button (LOOP-28). */
  secondary?: boolean
}

/** The end of a form: the rejection reason and the submit button. */
export function FormFoot({ submit, pending, failed, error, onCancel, secondary = false }: Props) {
  return (
    <div>
      <FormFailure title={failed} message={error ? errorMessageOf(error) : undefined} />
      <Group justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={pending}>
            {commonTexts.cancel}
          </Button>
        )}
        <Button type="submit" variant={secondary ? 'default' : 'filled'} loading={pending}>
          {submit}
        </Button>
      </Group>
    </div>
  )
}
