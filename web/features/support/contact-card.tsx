import { Anchor } from '@mantine/core'
import { supportTexts } from '@ovation/contract/texts/support'
import { IconMail } from '@tabler/icons-react'
import { appConfig } from '../../lib/api/config.ts'
import classes from './contact-card.module.css'

const texts = supportTexts.contact

/** SUPP-02, SUPP-03. The operator's contact details. */
export function ContactCard() {
  const { supportEmail } = appConfig().operator
  return (
    <section className={`surface ${classes.card}`} aria-labelledby="support-contact">
      <h2 id="support-contact" className="visually-hidden">
        {texts.title}
      </h2>
      <div className={classes.email}>
        <IconMail size={24} stroke={1.5} aria-hidden="true" />
        <div>
          <div className={classes.label}>{texts.email}</div>
          {supportEmail ? (
            <Anchor href={`mailto:${supportEmail}`} className="reach">
              {supportEmail}
            </Anchor>
          ) : (
            texts.form
          )}
        </div>
      </div>
      <div>
        <h3 className={classes.caption}>{texts.responseTimes}</h3>
        <dl className={classes.times}>
          {texts.times.map(({ kind, time }) => (
            <div key={kind}>
              <dt className={classes.label}>{kind}</dt>
              <dd>{time}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
