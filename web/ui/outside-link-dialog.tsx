import { Button, Group, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { outsideLinkTexts } from '@ovation/contract/texts/outside-links'
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { Dialog } from './dialog.tsx'
import classes from './outside-link-dialog.module.css'

/** The full URL before the user leaves the site (LOOP-13). Browsers encode everything outside ASCII, look-alike characters and direction marks included. */
export default function OutsideLinkDialog({ url: address, onClose }: { url: string; onClose: () => void }) {
  const url = new URL(address)
  const start = `${url.protocol}//`
  const isLookAlike = url.hostname.split('.').some((label) => label.startsWith('xn--'))
  return (
    <Dialog title={outsideLinkTexts.title} onClose={onClose} size="sm">
      <Text>{outsideLinkTexts.message}</Text>
      {/* Focusable, because a long address scrolls. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
      <p className={classes.address} dir="ltr" tabIndex={0}>
        {start}
        <strong>{url.host}</strong>
        {url.href.slice(start.length + url.host.length)}
      </p>
      {isLookAlike && (
        <p className={classes.warning}>
          <IconAlertTriangle size={18} stroke={1.7} aria-hidden="true" />
          {outsideLinkTexts.lookAlike}
        </p>
      )}
      <Group justify="flex-end" gap="xs" mt="xl">
        <Button variant="default" onClick={onClose} data-autofocus>
          {commonTexts.cancel}
        </Button>
        <Button
          component="a"
          href={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          onClick={onClose}
          rightSection={<IconExternalLink size={18} stroke={1.7} aria-hidden="true" />}
        >
          {outsideLinkTexts.open}
        </Button>
      </Group>
    </Dialog>
  )
}
