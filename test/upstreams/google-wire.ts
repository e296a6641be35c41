/** The wire format of the Gemini API (its reference, and the types of `js-genai`): rejected requests and errors. */
import type { FakeResponse, Received, ApiFailure } from './direct-fake.ts';

/** The part of a request's body that the server reads. */
export interface GenerateContent {
  contents: { role?: string; parts: { text?: string; inlineData?: { mimeType: string; data: string } }[] }[];
  generationConfig?: {
    responseModalities?: string[];
    imageConfig?: { aspectRatio?: string; imageSize?: string };
    seed?: number;
  };
  safetySettings?: { category: string; threshold: string }[];
}

/** Pixels of `1K`, by shape. */
export const sizes: Readonly<Record<string, readonly [number, number]>> = {
  '1:1': [1024, 1024],
  '2:3': [848, 1264],
  '3:2': [1264, 848],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1376],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
};

const refusal = (code: number, status: string, message: string, details?: object[]): FakeResponse => ({
  status: code,
  body: { error: { code, message, status, ...(details && { details }) } },
});

const wrongKey = (message: string) =>
  refusal(400, 'INVALID_ARGUMENT', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ]);

export function refuseGoogleKey({ headers }: Received, apiKey: string | undefined): FakeResponse | null {
  const given = headers['x-goog-api-key'];
  if (!apiKey || given === apiKey) return null;
  if (given) return wrongKey('API key not valid. Please pass a valid API key.');
  return refusal(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers.");
}

const fields = ['contents', 'systemInstruction', 'generationConfig', 'safetySettings', 'tools', 'toolConfig'];
const settings = [
  ...['maxOutputTokens', 'temperature', 'topK', 'topP', 'stopSequences', 'seed', 'responseMimeType', 'imageConfig'],
  ...['responseJsonSchema', 'responseModalities', 'thinkingConfig', 'mediaResolution'],
];

export function refuseContent({ method, path, body }: Received): FakeResponse | null {
  if (method !== 'POST' || !/^\/v1beta\/models\/[\w.-]+:generateContent$/u.test(path)) {
    return refusal(404, 'NOT_FOUND', `models is not found for API version v1beta: ${path}`);
  }
  const { contents, generationConfig = {}, safetySettings = [] } = (body ?? {}) as GenerateContent;
  const unknown =
    Object.keys(body ?? {}).find((name) => !fields.includes(name)) ??
    Object.keys(generationConfig).find((name) => !settings.includes(name));
  if (unknown) return refusal(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. Unknown name "${unknown}"`);
  const parts = contents?.flatMap((content) => content.parts) ?? [];
  if (!parts.some(({ text }) => text)) return refusal(400, 'INVALID_ARGUMENT', 'contents is not specified');
  if (!parts.every(isPart)) return refusal(400, 'INVALID_ARGUMENT', 'Unable to process input image.');
  const { imageConfig, seed } = generationConfig;
  if (imageConfig?.aspectRatio && !(imageConfig.aspectRatio in sizes)) {
    return refusal(400, 'INVALID_ARGUMENT', 'Invalid value at generation_config.image_config.aspect_ratio');
  }
  if (seed !== undefined && (seed | 0) !== seed) {
    return refusal(400, 'INVALID_ARGUMENT', "Invalid value at 'generation_config.seed' (TYPE_INT32)");
  }
  if (
    !safetySettings.every(({ category, threshold }) => /^HARM_/u.test(category) && /^(BLOCK_|OFF$)/u.test(threshold))
  ) {
    return refusal(400, 'INVALID_ARGUMENT', "Invalid value at 'safety_settings'");
  }
  return null;
}

function isPart({ text, inlineData }: GenerateContent['contents'][number]['parts'][number]): boolean {
  if (text !== undefined) return true;
  return /^image\/(png|jpeg|webp)$/u.test(inlineData?.mimeType ?? '') && (inlineData?.data.length ?? 0) > 0;
}

/** Words of the provider that must not appear in an error of ours. */
const words = 'projects/org-4711 sk-proj-N0tForAnyonesEyes a secret garden';

const quota = (period: string) =>
  refusal(429, 'RESOURCE_EXHAUSTED', `You exceeded your current quota. ${words}`, [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [
        { quotaMetric: 'generate_content_requests', quotaId: `GenerateRequests${period}PerProjectPerModel` },
      ],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' },
  ]);

export const googleFailures: Record<ApiFailure, FakeResponse> = {
  'bad-request': refusal(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. ${words}`),
  'bad-key': wrongKey(`API key not valid. ${words}`),
  forbidden: refusal(403, 'PERMISSION_DENIED', `Your API key was reported as leaked. ${words}`),
  unpaid: refusal(400, 'FAILED_PRECONDITION', `Please enable billing on your project. ${words}`),
  'not-found': refusal(404, 'NOT_FOUND', `models/gemini-0 is not found for API version v1beta. ${words}`),
  moderation: { status: 200, body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } },
  busy: { ...quota('PerMinute'), headers: { 'retry-after': '1' } },
  quota: quota('PerDay'),
  broken: refusal(500, 'INTERNAL', `An internal error has occurred. ${words}`),
  unavailable: refusal(503, 'UNAVAILABLE', `The model is overloaded. ${words}`),
  'gateway-timeout': refusal(504, 'DEADLINE_EXCEEDED', `Deadline expired. ${words}`),
};
