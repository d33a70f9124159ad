import { Button } from '@mantine/core'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { useBlock } from './use-block.ts'

/** Replaces the actions on a user whom the viewer has blocked (D39). */
export default function UnblockButton({ profileId, name }: { profileId: string; name: string }) {
  const block = useBlock({ profileId, name })
  return (
    <Button
      variant="default"
      // As wide as the button that it replaces.
      miw="var(--follow-width)"
      aria-label={safetyTexts.unblock(name)}
      loading={block.isPending}
      onClick={() => block.mutate(false)}
    >
      {safetyTexts.unblockShort}
    </Button>
  )
}
