import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { IconVideoOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useKeptFocus } from '../../../ui/use-kept-focus.ts'
import classes from './call.module.css'
import { CallControls } from './call-controls.tsx'
import { StreamVideo } from './stream-video.tsx'
import type { Media } from './use-media.ts'

const texts = sessionTexts.call

/** Before the call: the viewer's own camera, any problems, and the button to join. */
export function Lobby({ media, name, onJoin }: { media: Media; name: string; onJoin: () => void }) {
  const { tracks, trouble, asking } = media
  const own = useMemo(() => (tracks.video ? new MediaStream([tracks.video]) : null), [tracks.video])
  return (
    <section {...useKeptFocus<HTMLElement>()} className={classes.lobby} aria-labelledby="ready">
      <div className={classes.stage}>
        {own ? (
          <StreamVideo stream={own} own label={texts.yourPicture} className={classes.picture} />
        ) : (
          <div className={classes.blank}>
            {asking ? <Loader color="gray.4" /> : <IconVideoOff size={36} stroke={1.5} aria-hidden="true" />}
            <Text>{asking ? texts.asking : texts.noPicture}</Text>
          </div>
        )}
        <CallControls media={media} />
      </div>
      <div className={classes.beside}>
        <h2 id="ready" className={classes.heading}>
          {texts.ready}
        </h2>
        <Text c="dimmed">{texts.readyHint(name)}</Text>
        <div role="status">
          {trouble && (
            <Alert mt="md" color="crimson" variant="light" title={texts.trouble[trouble].title}>
              {texts.trouble[trouble].message}
            </Alert>
          )}
          {!trouble && media.lacks && (
            <Alert mt="md" color="yellow" variant="light">
              {media.lacks === 'video' ? texts.trouble.noCamera : texts.trouble.noMicrophone}
            </Alert>
          )}
        </div>
        <Group mt="lg" gap="sm">
          {trouble ? (
            <>
              <Button variant="default" onClick={media.ask} loading={asking}>
                {sessionTexts.retry}
              </Button>
              {trouble !== 'insecure' && (
                <Button variant="default" onClick={onJoin}>
                  {texts.listenOnly}
                </Button>
              )}
            </>
          ) : (
            <Button size="md" onClick={onJoin} disabled={asking}>
              {texts.join}
            </Button>
          )}
        </Group>
      </div>
    </section>
  )
}
