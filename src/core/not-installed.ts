// One text for the API, for agents and for workers.

export const installModels = 'the operator installs its models with: npm run models -- fetch'

/** The answer to jobs whose models are not installed. */
export const notInstalled = `This endpoint is not installed here: ${installModels}`
