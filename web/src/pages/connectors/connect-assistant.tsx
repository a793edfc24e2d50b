import { useState } from 'react'
import { CopyText } from '../../components/copy-text.tsx'
import { Select } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { assistantsFor } from './assistants.ts'

/** How each assistant is connected with a new token, while the page still has it. */
export function ConnectAssistant({ address, secret }: { readonly address: string; readonly secret: string }) {
  const assistants = assistantsFor(address, secret)
  const [name, setName] = useState(assistants[0]?.name)
  const chosen = assistants.find((each) => each.name === name)
  return (
    <Panel title="Connect an assistant">
      <Select
        label="Assistant"
        value={name}
        onChange={({ target }) => setName(target.value)}
        choices={assistants.map((each) => [each.name, each.name])}
      />
      {chosen && (
        <>
          <p className="text-quiet">{chosen.place}</p>
          <CopyText key={chosen.name} text={chosen.text} label="Copy the text">
            {chosen.link && (
              <a href={chosen.link} className="underline">
                Open {chosen.name}
              </a>
            )}
          </CopyText>
        </>
      )}
      <p className="text-quiet">
        Then ask it to call <code>get_agent_guide</code>. If the assistant says that the names of tools are not valid,
        ask whoever runs this service to take the dots out of them: the setting is <code>TOOL_PREFIX=svc_</code>.
      </p>
    </Panel>
  )
}
