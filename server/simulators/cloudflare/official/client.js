// Written by extract.ts: part of the package cloudflare 7.3.0, unchanged. Apache License 2.0, see LICENSE.
// node_modules/cloudflare/internal/tslib.mjs
function __classPrivateFieldSet(receiver, state, value, kind, f) {
	if (kind === "m") throw new TypeError("Private method is not writable");
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a setter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot write private member to an object whose class did not declare it");
	return kind === "a" ? f.call(receiver, value) : f ? f.value = value : state.set(receiver, value), value;
}
function __classPrivateFieldGet(receiver, state, kind, f) {
	if (kind === "a" && !f) throw new TypeError("Private accessor was defined without a getter");
	if (typeof state === "function" ? receiver !== state || !f : !state.has(receiver)) throw new TypeError("Cannot read private member from an object whose class did not declare it");
	return kind === "m" ? f : kind === "a" ? f.call(receiver) : f ? f.value : state.get(receiver);
}
// node_modules/cloudflare/internal/utils/uuid.mjs
var uuid4 = function() {
	const { crypto } = globalThis;
	if (crypto?.randomUUID) {
		uuid4 = crypto.randomUUID.bind(crypto);
		return crypto.randomUUID();
	}
	const u8 = new Uint8Array(1);
	const randomByte = crypto ? () => crypto.getRandomValues(u8)[0] : () => Math.random() * 255 & 255;
	return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (c) => (+c ^ randomByte() & 15 >> +c / 4).toString(16));
};
// node_modules/cloudflare/internal/errors.mjs
function isAbortError(err) {
	return typeof err === "object" && err !== null && ("name" in err && err.name === "AbortError" || "message" in err && String(err.message).includes("FetchRequestCanceledException"));
}
var castToError = (err) => {
	if (err instanceof Error) return err;
	if (typeof err === "object" && err !== null) {
		try {
			if (Object.prototype.toString.call(err) === "[object Error]") {
				const error = new Error(err.message, err.cause ? { cause: err.cause } : {});
				if (err.stack) error.stack = err.stack;
				if (err.cause && !error.cause) error.cause = err.cause;
				if (err.name) error.name = err.name;
				return error;
			}
		} catch {}
		try {
			return new Error(JSON.stringify(err));
		} catch {}
	}
	return new Error(err);
};
// node_modules/cloudflare/core/error.mjs
var CloudflareError = (() => {
	class CloudflareError extends Error {}
	return CloudflareError;
})();
var APIError = class APIError extends CloudflareError {
	constructor(status, error, message, headers) {
		super(`${APIError.makeMessage(status, error, message)}`);
		this.status = status;
		this.headers = headers;
		this.error = error;
		const data = error;
		this.errors = data?.["errors"] ?? [];
	}
	static makeMessage(status, error, message) {
		const msg = error?.message ? typeof error.message === "string" ? error.message : JSON.stringify(error.message) : error ? JSON.stringify(error) : message;
		if (status && msg) return `${status} ${msg}`;
		if (status) return `${status} status code (no body)`;
		if (msg) return msg;
		return "(no status code or body)";
	}
	static generate(status, errorResponse, message, headers) {
		if (!status || !headers) return new APIConnectionError({
			message,
			cause: castToError(errorResponse)
		});
		const error = errorResponse;
		if (status === 400) return new BadRequestError(status, error, message, headers);
		if (status === 401) return new AuthenticationError(status, error, message, headers);
		if (status === 403) return new PermissionDeniedError(status, error, message, headers);
		if (status === 404) return new NotFoundError(status, error, message, headers);
		if (status === 409) return new ConflictError(status, error, message, headers);
		if (status === 422) return new UnprocessableEntityError(status, error, message, headers);
		if (status === 429) return new RateLimitError(status, error, message, headers);
		if (status >= 500) return new InternalServerError(status, error, message, headers);
		return new APIError(status, error, message, headers);
	}
};
var APIUserAbortError = class extends APIError {
	constructor({ message } = {}) {
		super(void 0, void 0, message || "Request was aborted.", void 0);
	}
};
var APIConnectionError = class extends APIError {
	constructor({ message, cause }) {
		super(void 0, void 0, message || "Connection error.", void 0);
		if (cause) this.cause = cause;
	}
};
var APIConnectionTimeoutError = class extends APIConnectionError {
	constructor({ message } = {}) {
		super({ message: message ?? "Request timed out." });
	}
};
var BadRequestError = class extends APIError {};
var AuthenticationError = class extends APIError {};
var PermissionDeniedError = class extends APIError {};
var NotFoundError = class extends APIError {};
var ConflictError = class extends APIError {};
var UnprocessableEntityError = class extends APIError {};
var RateLimitError = class extends APIError {};
var InternalServerError = class extends APIError {};
// node_modules/cloudflare/internal/utils/values.mjs
var startsWithSchemeRegexp = /^[a-z][a-z0-9+.-]*:/i;
var isAbsoluteURL = (url) => {
	return startsWithSchemeRegexp.test(url);
};
var isArray = (val) => (isArray = Array.isArray, isArray(val));
var isReadonlyArray = isArray;
function maybeObj(x) {
	if (typeof x !== "object") return {};
	return x ?? {};
}
function isEmptyObj(obj) {
	if (!obj) return true;
	for (const _k in obj) return false;
	return true;
}
function hasOwn(obj, key) {
	return Object.prototype.hasOwnProperty.call(obj, key);
}
var validatePositiveInteger = (name, n) => {
	if (typeof n !== "number" || !Number.isInteger(n)) throw new CloudflareError(`${name} must be an integer`);
	if (n < 0) throw new CloudflareError(`${name} must be a positive integer`);
	return n;
};
var safeJSON = (text) => {
	try {
		return JSON.parse(text);
	} catch (err) {
		return;
	}
};
// node_modules/cloudflare/internal/utils/sleep.mjs
var sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// node_modules/cloudflare/version.mjs
var VERSION = "7.3.0";
// node_modules/cloudflare/internal/detect-platform.mjs
function getDetectedPlatform() {
	if (typeof Deno !== "undefined" && Deno.build != null) return "deno";
	if (typeof EdgeRuntime !== "undefined") return "edge";
	if (Object.prototype.toString.call(typeof globalThis.process !== "undefined" ? globalThis.process : 0) === "[object process]") return "node";
	return "unknown";
}
var getPlatformProperties = () => {
	const detectedPlatform = getDetectedPlatform();
	if (detectedPlatform === "deno") return {
		"X-Stainless-Lang": "js",
		"X-Stainless-Package-Version": VERSION,
		"X-Stainless-OS": normalizePlatform(Deno.build.os),
		"X-Stainless-Arch": normalizeArch(Deno.build.arch),
		"X-Stainless-Runtime": "deno",
		"X-Stainless-Runtime-Version": typeof Deno.version === "string" ? Deno.version : Deno.version?.deno ?? "unknown"
	};
	if (typeof EdgeRuntime !== "undefined") return {
		"X-Stainless-Lang": "js",
		"X-Stainless-Package-Version": VERSION,
		"X-Stainless-OS": "Unknown",
		"X-Stainless-Arch": `other:${EdgeRuntime}`,
		"X-Stainless-Runtime": "edge",
		"X-Stainless-Runtime-Version": globalThis.process.version
	};
	if (detectedPlatform === "node") return {
		"X-Stainless-Lang": "js",
		"X-Stainless-Package-Version": VERSION,
		"X-Stainless-OS": normalizePlatform(globalThis.process.platform ?? "unknown"),
		"X-Stainless-Arch": normalizeArch(globalThis.process.arch ?? "unknown"),
		"X-Stainless-Runtime": "node",
		"X-Stainless-Runtime-Version": globalThis.process.version ?? "unknown"
	};
	const browserInfo = getBrowserInfo();
	if (browserInfo) return {
		"X-Stainless-Lang": "js",
		"X-Stainless-Package-Version": VERSION,
		"X-Stainless-OS": "Unknown",
		"X-Stainless-Arch": "unknown",
		"X-Stainless-Runtime": `browser:${browserInfo.browser}`,
		"X-Stainless-Runtime-Version": browserInfo.version
	};
	return {
		"X-Stainless-Lang": "js",
		"X-Stainless-Package-Version": VERSION,
		"X-Stainless-OS": "Unknown",
		"X-Stainless-Arch": "unknown",
		"X-Stainless-Runtime": "unknown",
		"X-Stainless-Runtime-Version": "unknown"
	};
};
function getBrowserInfo() {
	if (typeof navigator === "undefined" || !navigator) return null;
	for (const { key, pattern } of [
		{
			key: "edge",
			pattern: /Edge(?:\W+(\d+)\.(\d+)(?:\.(\d+))?)?/
		},
		{
			key: "ie",
			pattern: /MSIE(?:\W+(\d+)\.(\d+)(?:\.(\d+))?)?/
		},
		{
			key: "ie",
			pattern: /Trident(?:.*rv\:(\d+)\.(\d+)(?:\.(\d+))?)?/
		},
		{
			key: "chrome",
			pattern: /Chrome(?:\W+(\d+)\.(\d+)(?:\.(\d+))?)?/
		},
		{
			key: "firefox",
			pattern: /Firefox(?:\W+(\d+)\.(\d+)(?:\.(\d+))?)?/
		},
		{
			key: "safari",
			pattern: /(?:Version\W+(\d+)\.(\d+)(?:\.(\d+))?)?(?:\W+Mobile\S*)?\W+Safari/
		}
	]) {
		const match = pattern.exec(navigator.userAgent);
		if (match) return {
			browser: key,
			version: `${match[1] || 0}.${match[2] || 0}.${match[3] || 0}`
		};
	}
	return null;
}
var normalizeArch = (arch) => {
	if (arch === "x32") return "x32";
	if (arch === "x86_64" || arch === "x64") return "x64";
	if (arch === "arm") return "arm";
	if (arch === "aarch64" || arch === "arm64") return "arm64";
	if (arch) return `other:${arch}`;
	return "unknown";
};
var normalizePlatform = (platform) => {
	platform = platform.toLowerCase();
	if (platform.includes("ios")) return "iOS";
	if (platform === "android") return "Android";
	if (platform === "darwin") return "MacOS";
	if (platform === "win32") return "Windows";
	if (platform === "freebsd") return "FreeBSD";
	if (platform === "openbsd") return "OpenBSD";
	if (platform === "linux") return "Linux";
	if (platform) return `Other:${platform}`;
	return "Unknown";
};
var _platformHeaders;
var getPlatformHeaders = () => {
	return _platformHeaders ?? (_platformHeaders = getPlatformProperties());
};
// node_modules/cloudflare/internal/shims.mjs
function getDefaultFetch() {
	if (typeof fetch !== "undefined") return fetch;
	throw new Error("`fetch` is not defined as a global; Either pass `fetch` to the client, `new Cloudflare({ fetch })` or polyfill the global, `globalThis.fetch = fetch`");
}
function makeReadableStream(...args) {
	const ReadableStream = globalThis.ReadableStream;
	if (typeof ReadableStream === "undefined") throw new Error("`ReadableStream` is not defined as a global; You will need to polyfill it, `globalThis.ReadableStream = ReadableStream`");
	return new ReadableStream(...args);
}
function ReadableStreamFrom(iterable) {
	let iter = Symbol.asyncIterator in iterable ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
	return makeReadableStream({
		start() {},
		async pull(controller) {
			const { done, value } = await iter.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await iter.return?.();
		}
	});
}
async function CancelReadableStream(stream) {
	if (stream === null || typeof stream !== "object") return;
	if (stream[Symbol.asyncIterator]) {
		await stream[Symbol.asyncIterator]().return?.();
		return;
	}
	const reader = stream.getReader();
	const cancelPromise = reader.cancel();
	reader.releaseLock();
	await cancelPromise;
}
// node_modules/cloudflare/internal/request-options.mjs
var FallbackEncoder = ({ headers, body }) => {
	return {
		bodyHeaders: { "content-type": "application/json" },
		body: JSON.stringify(body)
	};
};
// node_modules/cloudflare/internal/qs/formats.mjs
var default_format = "RFC3986";
var default_formatter = (v) => String(v);
var formatters = {
	RFC1738: (v) => String(v).replace(/%20/g, "+"),
	RFC3986: default_formatter
};
// node_modules/cloudflare/internal/qs/utils.mjs
var has = (obj, key) => (has = Object.hasOwn ?? Function.prototype.call.bind(Object.prototype.hasOwnProperty), has(obj, key));
var hex_table = (() => {
	const array = [];
	for (let i = 0; i < 256; ++i) array.push("%" + ((i < 16 ? "0" : "") + i.toString(16)).toUpperCase());
	return array;
})();
var limit = 1024;
var encode = (str, _defaultEncoder, charset, _kind, format) => {
	if (str.length === 0) return str;
	let string = str;
	if (typeof str === "symbol") string = Symbol.prototype.toString.call(str);
	else if (typeof str !== "string") string = String(str);
	if (charset === "iso-8859-1") return escape(string).replace(/%u[0-9a-f]{4}/gi, function($0) {
		return "%26%23" + parseInt($0.slice(2), 16) + "%3B";
	});
	let out = "";
	for (let j = 0; j < string.length; j += limit) {
		const segment = string.length >= limit ? string.slice(j, j + limit) : string;
		const arr = [];
		for (let i = 0; i < segment.length; ++i) {
			let c = segment.charCodeAt(i);
			if (c === 45 || c === 46 || c === 95 || c === 126 || c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 || format === "RFC1738" && (c === 40 || c === 41)) {
				arr[arr.length] = segment.charAt(i);
				continue;
			}
			if (c < 128) {
				arr[arr.length] = hex_table[c];
				continue;
			}
			if (c < 2048) {
				arr[arr.length] = hex_table[192 | c >> 6] + hex_table[128 | c & 63];
				continue;
			}
			if (c < 55296 || c >= 57344) {
				arr[arr.length] = hex_table[224 | c >> 12] + hex_table[128 | c >> 6 & 63] + hex_table[128 | c & 63];
				continue;
			}
			i += 1;
			c = 65536 + ((c & 1023) << 10 | segment.charCodeAt(i) & 1023);
			arr[arr.length] = hex_table[240 | c >> 18] + hex_table[128 | c >> 12 & 63] + hex_table[128 | c >> 6 & 63] + hex_table[128 | c & 63];
		}
		out += arr.join("");
	}
	return out;
};
function is_buffer(obj) {
	if (!obj || typeof obj !== "object") return false;
	return !!(obj.constructor && obj.constructor.isBuffer && obj.constructor.isBuffer(obj));
}
function maybe_map(val, fn) {
	if (isArray(val)) {
		const mapped = [];
		for (let i = 0; i < val.length; i += 1) mapped.push(fn(val[i]));
		return mapped;
	}
	return fn(val);
}
// node_modules/cloudflare/internal/qs/stringify.mjs
var array_prefix_generators = {
	brackets(prefix) {
		return String(prefix) + "[]";
	},
	comma: "comma",
	indices(prefix, key) {
		return String(prefix) + "[" + key + "]";
	},
	repeat(prefix) {
		return String(prefix);
	}
};
var push_to_array = function(arr, value_or_array) {
	Array.prototype.push.apply(arr, isArray(value_or_array) ? value_or_array : [value_or_array]);
};
var toISOString;
var defaults = {
	addQueryPrefix: false,
	allowDots: false,
	allowEmptyArrays: false,
	arrayFormat: "indices",
	charset: "utf-8",
	charsetSentinel: false,
	delimiter: "&",
	encode: true,
	encodeDotInKeys: false,
	encoder: encode,
	encodeValuesOnly: false,
	format: default_format,
	formatter: default_formatter,
	indices: false,
	serializeDate(date) {
		return (toISOString ?? (toISOString = Function.prototype.call.bind(Date.prototype.toISOString)))(date);
	},
	skipNulls: false,
	strictNullHandling: false
};
function is_non_nullish_primitive(v) {
	return typeof v === "string" || typeof v === "number" || typeof v === "boolean" || typeof v === "symbol" || typeof v === "bigint";
}
var sentinel = {};
function inner_stringify(object, prefix, generateArrayPrefix, commaRoundTrip, allowEmptyArrays, strictNullHandling, skipNulls, encodeDotInKeys, encoder, filter, sort, allowDots, serializeDate, format, formatter, encodeValuesOnly, charset, sideChannel) {
	let obj = object;
	let tmp_sc = sideChannel;
	let step = 0;
	let find_flag = false;
	while ((tmp_sc = tmp_sc.get(sentinel)) !== void 0 && !find_flag) {
		const pos = tmp_sc.get(object);
		step += 1;
		if (typeof pos !== "undefined") {
			if (pos === step) throw new RangeError("Cyclic object value");
			else find_flag = true;
		}
		if (typeof tmp_sc.get(sentinel) === "undefined") step = 0;
	}
	if (typeof filter === "function") obj = filter(prefix, obj);
	else if (obj instanceof Date) obj = serializeDate?.(obj);
	else if (generateArrayPrefix === "comma" && isArray(obj)) obj = maybe_map(obj, function(value) {
		if (value instanceof Date) return serializeDate?.(value);
		return value;
	});
	if (obj === null) {
		if (strictNullHandling) return encoder && !encodeValuesOnly ? encoder(prefix, defaults.encoder, charset, "key", format) : prefix;
		obj = "";
	}
	if (is_non_nullish_primitive(obj) || is_buffer(obj)) {
		if (encoder) {
			const key_value = encodeValuesOnly ? prefix : encoder(prefix, defaults.encoder, charset, "key", format);
			return [formatter?.(key_value) + "=" + formatter?.(encoder(obj, defaults.encoder, charset, "value", format))];
		}
		return [formatter?.(prefix) + "=" + formatter?.(String(obj))];
	}
	const values = [];
	if (typeof obj === "undefined") return values;
	let obj_keys;
	if (generateArrayPrefix === "comma" && isArray(obj)) {
		if (encodeValuesOnly && encoder) obj = maybe_map(obj, encoder);
		obj_keys = [{ value: obj.length > 0 ? obj.join(",") || null : void 0 }];
	} else if (isArray(filter)) obj_keys = filter;
	else {
		const keys = Object.keys(obj);
		obj_keys = sort ? keys.sort(sort) : keys;
	}
	const encoded_prefix = encodeDotInKeys ? String(prefix).replace(/\./g, "%2E") : String(prefix);
	const adjusted_prefix = commaRoundTrip && isArray(obj) && obj.length === 1 ? encoded_prefix + "[]" : encoded_prefix;
	if (allowEmptyArrays && isArray(obj) && obj.length === 0) return adjusted_prefix + "[]";
	for (let j = 0; j < obj_keys.length; ++j) {
		const key = obj_keys[j];
		const value = typeof key === "object" && typeof key.value !== "undefined" ? key.value : obj[key];
		if (skipNulls && value === null) continue;
		const encoded_key = allowDots && encodeDotInKeys ? key.replace(/\./g, "%2E") : key;
		const key_prefix = isArray(obj) ? typeof generateArrayPrefix === "function" ? generateArrayPrefix(adjusted_prefix, encoded_key) : adjusted_prefix : adjusted_prefix + (allowDots ? "." + encoded_key : "[" + encoded_key + "]");
		sideChannel.set(object, step);
		const valueSideChannel = new WeakMap();
		valueSideChannel.set(sentinel, sideChannel);
		push_to_array(values, inner_stringify(value, key_prefix, generateArrayPrefix, commaRoundTrip, allowEmptyArrays, strictNullHandling, skipNulls, encodeDotInKeys, generateArrayPrefix === "comma" && encodeValuesOnly && isArray(obj) ? null : encoder, filter, sort, allowDots, serializeDate, format, formatter, encodeValuesOnly, charset, valueSideChannel));
	}
	return values;
}
function normalize_stringify_options(opts = defaults) {
	if (typeof opts.allowEmptyArrays !== "undefined" && typeof opts.allowEmptyArrays !== "boolean") throw new TypeError("`allowEmptyArrays` option can only be `true` or `false`, when provided");
	if (typeof opts.encodeDotInKeys !== "undefined" && typeof opts.encodeDotInKeys !== "boolean") throw new TypeError("`encodeDotInKeys` option can only be `true` or `false`, when provided");
	if (opts.encoder !== null && typeof opts.encoder !== "undefined" && typeof opts.encoder !== "function") throw new TypeError("Encoder has to be a function.");
	const charset = opts.charset || defaults.charset;
	if (typeof opts.charset !== "undefined" && opts.charset !== "utf-8" && opts.charset !== "iso-8859-1") throw new TypeError("The charset option must be either utf-8, iso-8859-1, or undefined");
	let format = default_format;
	if (typeof opts.format !== "undefined") {
		if (!has(formatters, opts.format)) throw new TypeError("Unknown format option provided.");
		format = opts.format;
	}
	const formatter = formatters[format];
	let filter = defaults.filter;
	if (typeof opts.filter === "function" || isArray(opts.filter)) filter = opts.filter;
	let arrayFormat;
	if (opts.arrayFormat && opts.arrayFormat in array_prefix_generators) arrayFormat = opts.arrayFormat;
	else if ("indices" in opts) arrayFormat = opts.indices ? "indices" : "repeat";
	else arrayFormat = defaults.arrayFormat;
	if ("commaRoundTrip" in opts && typeof opts.commaRoundTrip !== "boolean") throw new TypeError("`commaRoundTrip` must be a boolean, or absent");
	const allowDots = typeof opts.allowDots === "undefined" ? !!opts.encodeDotInKeys === true ? true : defaults.allowDots : !!opts.allowDots;
	return {
		addQueryPrefix: typeof opts.addQueryPrefix === "boolean" ? opts.addQueryPrefix : defaults.addQueryPrefix,
		allowDots,
		allowEmptyArrays: typeof opts.allowEmptyArrays === "boolean" ? !!opts.allowEmptyArrays : defaults.allowEmptyArrays,
		arrayFormat,
		charset,
		charsetSentinel: typeof opts.charsetSentinel === "boolean" ? opts.charsetSentinel : defaults.charsetSentinel,
		commaRoundTrip: !!opts.commaRoundTrip,
		delimiter: typeof opts.delimiter === "undefined" ? defaults.delimiter : opts.delimiter,
		encode: typeof opts.encode === "boolean" ? opts.encode : defaults.encode,
		encodeDotInKeys: typeof opts.encodeDotInKeys === "boolean" ? opts.encodeDotInKeys : defaults.encodeDotInKeys,
		encoder: typeof opts.encoder === "function" ? opts.encoder : defaults.encoder,
		encodeValuesOnly: typeof opts.encodeValuesOnly === "boolean" ? opts.encodeValuesOnly : defaults.encodeValuesOnly,
		filter,
		format,
		formatter,
		serializeDate: typeof opts.serializeDate === "function" ? opts.serializeDate : defaults.serializeDate,
		skipNulls: typeof opts.skipNulls === "boolean" ? opts.skipNulls : defaults.skipNulls,
		sort: typeof opts.sort === "function" ? opts.sort : null,
		strictNullHandling: typeof opts.strictNullHandling === "boolean" ? opts.strictNullHandling : defaults.strictNullHandling
	};
}
function stringify(object, opts = {}) {
	let obj = object;
	const options = normalize_stringify_options(opts);
	let obj_keys;
	let filter;
	if (typeof options.filter === "function") {
		filter = options.filter;
		obj = filter("", obj);
	} else if (isArray(options.filter)) {
		filter = options.filter;
		obj_keys = filter;
	}
	const keys = [];
	if (typeof obj !== "object" || obj === null) return "";
	const generateArrayPrefix = array_prefix_generators[options.arrayFormat];
	const commaRoundTrip = generateArrayPrefix === "comma" && options.commaRoundTrip;
	if (!obj_keys) obj_keys = Object.keys(obj);
	if (options.sort) obj_keys.sort(options.sort);
	const sideChannel = new WeakMap();
	for (let i = 0; i < obj_keys.length; ++i) {
		const key = obj_keys[i];
		if (options.skipNulls && obj[key] === null) continue;
		push_to_array(keys, inner_stringify(obj[key], key, generateArrayPrefix, commaRoundTrip, options.allowEmptyArrays, options.strictNullHandling, options.skipNulls, options.encodeDotInKeys, options.encode ? options.encoder : null, options.filter, options.sort, options.allowDots, options.serializeDate, options.format, options.formatter, options.encodeValuesOnly, options.charset, sideChannel));
	}
	const joined = keys.join(options.delimiter);
	let prefix = options.addQueryPrefix === true ? "?" : "";
	if (options.charsetSentinel) {
		if (options.charset === "iso-8859-1") prefix += "utf8=%26%2310003%3B&";
		else prefix += "utf8=%E2%9C%93&";
	}
	return joined.length > 0 ? prefix + joined : "";
}
// node_modules/cloudflare/internal/utils/query.mjs
function stringifyQuery(query) {
	return stringify(query, {
		allowDots: true,
		arrayFormat: "repeat"
	});
}
// node_modules/cloudflare/internal/utils/log.mjs
var levelNumbers = {
	off: 0,
	error: 200,
	warn: 300,
	info: 400,
	debug: 500
};
var parseLogLevel = (maybeLevel, sourceName, client) => {
	if (!maybeLevel) return;
	if (hasOwn(levelNumbers, maybeLevel)) return maybeLevel;
	loggerFor(client).warn(`${sourceName} was set to ${JSON.stringify(maybeLevel)}, expected one of ${JSON.stringify(Object.keys(levelNumbers))}`);
};
function noop() {}
function makeLogFn(fnLevel, logger, logLevel) {
	if (!logger || levelNumbers[fnLevel] > levelNumbers[logLevel]) return noop;
	else return logger[fnLevel].bind(logger);
}
var noopLogger = {
	error: noop,
	warn: noop,
	info: noop,
	debug: noop
};
var cachedLoggers = new WeakMap();
function loggerFor(client) {
	const logger = client.logger;
	const logLevel = client.logLevel ?? "off";
	if (!logger) return noopLogger;
	const cachedLogger = cachedLoggers.get(logger);
	if (cachedLogger && cachedLogger[0] === logLevel) return cachedLogger[1];
	const levelLogger = {
		error: makeLogFn("error", logger, logLevel),
		warn: makeLogFn("warn", logger, logLevel),
		info: makeLogFn("info", logger, logLevel),
		debug: makeLogFn("debug", logger, logLevel)
	};
	cachedLoggers.set(logger, [logLevel, levelLogger]);
	return levelLogger;
}
var formatRequestDetails = (details) => {
	if (details.options) {
		details.options = { ...details.options };
		delete details.options["headers"];
	}
	if (details.headers) details.headers = Object.fromEntries((details.headers instanceof Headers ? [...details.headers] : Object.entries(details.headers)).map(([name, value]) => [name, name.toLowerCase() === "authorization" || name.toLowerCase() === "api-key" || name.toLowerCase() === "x-api-key" || name.toLowerCase() === "cookie" || name.toLowerCase() === "set-cookie" || name.toLowerCase() === "x-auth-email" || name.toLowerCase() === "x-auth-key" || name.toLowerCase() === "x-auth-user-service-key" ? "***" : value]));
	if ("retryOfRequestLogID" in details) {
		if (details.retryOfRequestLogID) details.retryOf = details.retryOfRequestLogID;
		delete details.retryOfRequestLogID;
	}
	return details;
};
// node_modules/cloudflare/internal/parse.mjs
async function defaultParseResponse(client, props) {
	const { response, requestLogID, retryOfRequestLogID, startTime } = props;
	const body = await (async () => {
		if (response.status === 204) return null;
		if (props.options.__binaryResponse) return response;
		const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim();
		if (mediaType?.includes("application/json") || mediaType?.endsWith("+json")) {
			if (response.headers.get("content-length") === "0") return;
			return await response.json();
		}
		return await response.text();
	})();
	loggerFor(client).debug(`[${requestLogID}] response parsed`, formatRequestDetails({
		retryOfRequestLogID,
		url: response.url,
		status: response.status,
		body,
		durationMs: Date.now() - startTime
	}));
	return body;
}
// node_modules/cloudflare/core/api-promise.mjs
var _APIPromise_client;
var APIPromise = (() => {
	class APIPromise extends Promise {
		constructor(client, responsePromise, parseResponse = defaultParseResponse) {
			super((resolve) => {
				resolve(null);
			});
			this.responsePromise = responsePromise;
			this.parseResponse = parseResponse;
			_APIPromise_client.set(this, void 0);
			__classPrivateFieldSet(this, _APIPromise_client, client, "f");
		}
		_thenUnwrap(transform) {
			return new APIPromise(__classPrivateFieldGet(this, _APIPromise_client, "f"), this.responsePromise, async (client, props) => transform(await this.parseResponse(client, props), props));
		}
		asResponse() {
			return this.responsePromise.then((p) => p.response);
		}
		async withResponse() {
			const [data, response] = await Promise.all([this.parse(), this.asResponse()]);
			return {
				data,
				response
			};
		}
		parse() {
			if (!this.parsedPromise) this.parsedPromise = this.responsePromise.then((data) => this.parseResponse(__classPrivateFieldGet(this, _APIPromise_client, "f"), data));
			return this.parsedPromise;
		}
		then(onfulfilled, onrejected) {
			return this.parse().then(onfulfilled, onrejected);
		}
		catch(onrejected) {
			return this.parse().catch(onrejected);
		}
		finally(onfinally) {
			return this.parse().finally(onfinally);
		}
	}
	_APIPromise_client = new WeakMap();
	return APIPromise;
})();
// node_modules/cloudflare/core/pagination.mjs
var _AbstractPage_client;
var AbstractPage = (() => {
	class AbstractPage {
		constructor(client, response, body, options) {
			_AbstractPage_client.set(this, void 0);
			__classPrivateFieldSet(this, _AbstractPage_client, client, "f");
			this.options = options;
			this.response = response;
			this.body = body;
		}
		hasNextPage() {
			if (!this.getPaginatedItems().length) return false;
			return this.nextPageRequestOptions() != null;
		}
		async getNextPage() {
			const nextOptions = this.nextPageRequestOptions();
			if (!nextOptions) throw new CloudflareError("No next page expected; please check `.hasNextPage()` before calling `.getNextPage()`.");
			return await __classPrivateFieldGet(this, _AbstractPage_client, "f").requestAPIList(this.constructor, nextOptions);
		}
		async *iterPages() {
			let page = this;
			yield page;
			while (page.hasNextPage()) {
				page = await page.getNextPage();
				yield page;
			}
		}
		async *[(_AbstractPage_client = new WeakMap(), Symbol.asyncIterator)]() {
			for await (const page of this.iterPages()) for (const item of page.getPaginatedItems()) yield item;
		}
	}
	return AbstractPage;
})();
var PagePromise = (() => {
	class PagePromise extends APIPromise {
		constructor(client, request, Page) {
			super(client, request, async (client, props) => new Page(client, props.response, await defaultParseResponse(client, props), props.options));
		}
		async *[Symbol.asyncIterator]() {
			const page = await this;
			for await (const item of page) yield item;
		}
	}
	return PagePromise;
})();
var V4PagePaginationArray = class extends AbstractPage {
	constructor(client, response, body, options) {
		super(client, response, body, options);
		this.result = body.result || [];
		this.result_info = body.result_info || {};
	}
	getPaginatedItems() {
		return this.result ?? [];
	}
	nextPageRequestOptions() {
		const currentPage = this.options.query?.page ?? 1;
		return {
			...this.options,
			query: {
				...maybeObj(this.options.query),
				page: currentPage + 1
			}
		};
	}
};
var SinglePage = class extends AbstractPage {
	constructor(client, response, body, options) {
		super(client, response, body, options);
		this.result = body.result || [];
	}
	getPaginatedItems() {
		return this.result ?? [];
	}
	nextPageRequestOptions() {
		return null;
	}
};
// node_modules/cloudflare/internal/uploads.mjs
var checkFileSupport = () => {
	if (typeof File === "undefined") {
		const { process } = globalThis;
		const isOldNode = typeof process?.versions?.node === "string" && parseInt(process.versions.node.split(".")) < 20;
		throw new Error("`File` is not defined as a global, which is required for file uploads." + (isOldNode ? " Update to Node 20 LTS or newer, or set `globalThis.File` to `import('node:buffer').File`." : ""));
	}
};
function makeFile(fileBits, fileName, options) {
	checkFileSupport();
	return new File(fileBits, fileName ?? "unknown_file", options);
}
function getName(value) {
	return (typeof value === "object" && value !== null && ("name" in value && value.name && String(value.name) || "url" in value && value.url && String(value.url) || "filename" in value && value.filename && String(value.filename) || "path" in value && value.path && String(value.path)) || "").split(/[\\/]/).pop() || void 0;
}
var isAsyncIterable = (value) => value != null && typeof value === "object" && typeof value[Symbol.asyncIterator] === "function";
var multipartFormRequestOptions = async (opts, fetch) => {
	return {
		...opts,
		body: await createForm(opts.body, fetch)
	};
};
var supportsFormDataMap = new WeakMap();
function supportsFormData(fetchObject) {
	const fetch = typeof fetchObject === "function" ? fetchObject : fetchObject.fetch;
	const cached = supportsFormDataMap.get(fetch);
	if (cached) return cached;
	const promise = (async () => {
		try {
			const FetchResponse = "Response" in fetch ? fetch.Response : (await fetch("data:,")).constructor;
			const data = new FormData();
			if (data.toString() === await new FetchResponse(data).text()) return false;
			return true;
		} catch {
			return true;
		}
	})();
	supportsFormDataMap.set(fetch, promise);
	return promise;
}
var createForm = async (body, fetch) => {
	if (!await supportsFormData(fetch)) throw new TypeError("The provided fetch function does not support file uploads with the current global FormData class.");
	const form = new FormData();
	await Promise.all(Object.entries(body || {}).map(([key, value]) => addFormValue(form, key, value)));
	return form;
};
var isNamedBlob = (value) => value instanceof Blob && "name" in value;
var addFormValue = async (form, key, value) => {
	if (value === void 0) return;
	if (value == null) throw new TypeError(`Received null for "${key}"; to pass null in FormData, you must use the string 'null'`);
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") form.append(key, String(value));
	else if (value instanceof Response) form.append(key, makeFile([await value.blob()], getName(value)));
	else if (isAsyncIterable(value)) form.append(key, makeFile([await new Response(ReadableStreamFrom(value)).blob()], getName(value)));
	else if (isNamedBlob(value)) form.append(key, value, getName(value));
	else if (Array.isArray(value)) await Promise.all(value.map((entry) => addFormValue(form, key + "[]", entry)));
	else if (typeof value === "object") await Promise.all(Object.entries(value).map(([name, prop]) => addFormValue(form, `${key}[${name}]`, prop)));
	else throw new TypeError(`Invalid value given to form, expected a string, number, boolean, object, Array, File or Blob but got ${value} instead`);
};
// node_modules/cloudflare/core/resource.mjs
var APIResource = (() => {
	class APIResource {
		constructor(client) {
			this._client = client;
		}
	}
	APIResource._key = [];
	return APIResource;
})();
// node_modules/cloudflare/internal/utils/path.mjs
function encodeURIPath(str) {
	return str.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@]+/g, encodeURIComponent);
}
var EMPTY = Object.freeze(Object.create(null));
var createPathTagFunction = (pathEncoder = encodeURIPath) => function path(statics, ...params) {
	if (statics.length === 1) return statics[0];
	let postPath = false;
	const invalidSegments = [];
	const path = statics.reduce((previousValue, currentValue, index) => {
		if (/[?#]/.test(currentValue)) postPath = true;
		const value = params[index];
		let encoded = (postPath ? encodeURIComponent : pathEncoder)("" + value);
		if (index !== params.length && (value == null || typeof value === "object" && value.toString === Object.getPrototypeOf(Object.getPrototypeOf(value.hasOwnProperty ?? EMPTY) ?? EMPTY)?.toString)) {
			encoded = value + "";
			invalidSegments.push({
				start: previousValue.length + currentValue.length,
				length: encoded.length,
				error: `Value of type ${Object.prototype.toString.call(value).slice(8, -1)} is not a valid path parameter`
			});
		}
		return previousValue + currentValue + (index === params.length ? "" : encoded);
	}, "");
	const pathOnly = path.split(/[?#]/, 1)[0];
	const invalidSegmentPattern = /(?<=^|\/)(?:\.|%2e){1,2}(?=\/|$)/gi;
	let match;
	while ((match = invalidSegmentPattern.exec(pathOnly)) !== null) invalidSegments.push({
		start: match.index,
		length: match[0].length,
		error: `Value "${match[0]}" can\'t be safely passed as a path parameter`
	});
	invalidSegments.sort((a, b) => a.start - b.start);
	if (invalidSegments.length > 0) {
		let lastEnd = 0;
		const underline = invalidSegments.reduce((acc, segment) => {
			const spaces = " ".repeat(segment.start - lastEnd);
			const arrows = "^".repeat(segment.length);
			lastEnd = segment.start + segment.length;
			return acc + spaces + arrows;
		}, "");
		throw new CloudflareError(`Path parameters result in path with invalid segments:\n${invalidSegments.map((e) => e.error).join("\n")}\n${path}\n${underline}`);
	}
	return path;
};
var path = createPathTagFunction(encodeURIPath);
// node_modules/cloudflare/internal/headers.mjs
var brand_privateNullableHeaders = Symbol("brand.privateNullableHeaders");
function* iterateHeaders(headers) {
	if (!headers) return;
	if (brand_privateNullableHeaders in headers) {
		const { values, nulls } = headers;
		yield* values.entries();
		for (const name of nulls) yield [name, null];
		return;
	}
	let shouldClear = false;
	let iter;
	if (headers instanceof Headers) iter = headers.entries();
	else if (isReadonlyArray(headers)) iter = headers;
	else {
		shouldClear = true;
		iter = Object.entries(headers ?? {});
	}
	for (let row of iter) {
		const name = row[0];
		if (typeof name !== "string") throw new TypeError("expected header name to be a string");
		const values = isReadonlyArray(row[1]) ? row[1] : [row[1]];
		let didClear = false;
		for (const value of values) {
			if (value === void 0) continue;
			if (shouldClear && !didClear) {
				didClear = true;
				yield [name, null];
			}
			yield [name, value];
		}
	}
}
var buildHeaders = (newHeaders) => {
	const targetHeaders = new Headers();
	const nullHeaders = new Set();
	for (const headers of newHeaders) {
		const seenHeaders = new Set();
		for (const [name, value] of iterateHeaders(headers)) {
			const lowerName = name.toLowerCase();
			if (!seenHeaders.has(lowerName)) {
				targetHeaders.delete(name);
				seenHeaders.add(lowerName);
			}
			if (value === null) {
				targetHeaders.delete(name);
				nullHeaders.add(lowerName);
			} else {
				targetHeaders.append(name, value);
				nullHeaders.delete(lowerName);
			}
		}
	}
	return {
		[brand_privateNullableHeaders]: true,
		values: targetHeaders,
		nulls: nullHeaders
	};
};
// node_modules/cloudflare/resources/accounts/tokens/tokens.mjs
var BaseTokens$1 = (() => {
	class BaseTokens extends APIResource {
		create(params, options) {
			const { account_id, ...body } = params;
			return this._client.post(path`/accounts/${account_id}/tokens`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		update(tokenID, params, options) {
			const { account_id, ...body } = params;
			return this._client.put(path`/accounts/${account_id}/tokens/${tokenID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(params, options) {
			const { account_id, ...query } = params;
			return this._client.getAPIList(path`/accounts/${account_id}/tokens`, V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(tokenID, params, options) {
			const { account_id } = params;
			return this._client.delete(path`/accounts/${account_id}/tokens/${tokenID}`, options)._thenUnwrap((obj) => obj.result);
		}
		get(tokenID, params, options) {
			const { account_id } = params;
			return this._client.get(path`/accounts/${account_id}/tokens/${tokenID}`, options)._thenUnwrap((obj) => obj.result);
		}
		verify(params, options) {
			const { account_id } = params;
			return this._client.get(path`/accounts/${account_id}/tokens/verify`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseTokens._key = Object.freeze(["accounts", "tokens"]);
	return BaseTokens;
})();
// node_modules/cloudflare/resources/accounts/accounts.mjs
var BaseAccounts = (() => {
	class BaseAccounts extends APIResource {
		create(params, options) {
			const { "Idempotency-Key": idempotencyKey, ...body } = params;
			return this._client.post("/accounts", {
				body,
				...options,
				headers: buildHeaders([{ ...idempotencyKey != null ? { "Idempotency-Key": idempotencyKey } : void 0 }, options?.headers])
			})._thenUnwrap((obj) => obj.result);
		}
		update(params, options) {
			const { account_id, ...body } = params;
			return this._client.put(path`/accounts/${account_id}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(query = {}, options) {
			return this._client.getAPIList("/accounts", V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(params, options) {
			const { account_id } = params;
			return this._client.delete(path`/accounts/${account_id}`, options)._thenUnwrap((obj) => obj.result);
		}
		get(params, options) {
			const { account_id } = params;
			return this._client.get(path`/accounts/${account_id}`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseAccounts._key = Object.freeze(["accounts"]);
	return BaseAccounts;
})();
// node_modules/cloudflare/resources/cache/cache.mjs
var BaseCache = (() => {
	class BaseCache extends APIResource {
		invalidate(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/invalidate_cache`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		invalidateEnvironment(environmentID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/environments/${environmentID}/invalidate_cache`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		purge(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/purge_cache`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		purgeEnvironment(environmentID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/environments/${environmentID}/purge_cache`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
	}
	BaseCache._key = Object.freeze(["cache"]);
	return BaseCache;
})();
// node_modules/cloudflare/resources/dns/records.mjs
var BaseRecords = (() => {
	class BaseRecords extends APIResource {
		create(params, options) {
			const { zone_id, include_shadow_metadata, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records`, {
				query: { include_shadow_metadata },
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		update(dnsRecordID, params, options) {
			const { zone_id, include_shadow_metadata, ...body } = params;
			return this._client.put(path`/zones/${zone_id}/dns_records/${dnsRecordID}`, {
				query: { include_shadow_metadata },
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(params, options) {
			const { zone_id, ...query } = params;
			return this._client.getAPIList(path`/zones/${zone_id}/dns_records`, V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(dnsRecordID, params, options) {
			const { zone_id } = params;
			return this._client.delete(path`/zones/${zone_id}/dns_records/${dnsRecordID}`, options)._thenUnwrap((obj) => obj.result);
		}
		batch(params, options) {
			const { zone_id, include_shadow_metadata, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records/batch`, {
				query: { include_shadow_metadata },
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		edit(dnsRecordID, params, options) {
			const { zone_id, include_shadow_metadata, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/dns_records/${dnsRecordID}`, {
				query: { include_shadow_metadata },
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		export(params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/dns_records/export`, {
				...options,
				headers: buildHeaders([{ Accept: "text/plain" }, options?.headers])
			});
		}
		get(dnsRecordID, params, options) {
			const { zone_id, ...query } = params;
			return this._client.get(path`/zones/${zone_id}/dns_records/${dnsRecordID}`, {
				query,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		import(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records/import`, multipartFormRequestOptions({
				body,
				...options
			}, this._client))._thenUnwrap((obj) => obj.result);
		}
		scan(params, options) {
			const { zone_id } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records/scan`, options)._thenUnwrap((obj) => obj.result);
		}
		scanList(params, options) {
			const { zone_id } = params;
			return this._client.getAPIList(path`/zones/${zone_id}/dns_records/scan/review`, SinglePage, options);
		}
		scanReview(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records/scan/review`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		scanTrigger(params, options) {
			const { zone_id } = params;
			return this._client.post(path`/zones/${zone_id}/dns_records/scan/trigger`, options);
		}
	}
	BaseRecords._key = Object.freeze(["dns", "records"]);
	return BaseRecords;
})();
var Records = class extends BaseRecords {};
// node_modules/cloudflare/resources/dns/usage/zone.mjs
var BaseZone = (() => {
	class BaseZone extends APIResource {
		get(params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/dns_records/usage`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseZone._key = Object.freeze([
		"dns",
		"usage",
		"zone"
	]);
	return BaseZone;
})();
var Zone = class extends BaseZone {};
// node_modules/cloudflare/resources/page-rules/page-rules.mjs
var BasePageRules = (() => {
	class BasePageRules extends APIResource {
		create(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/pagerules`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		update(pageruleID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.put(path`/zones/${zone_id}/pagerules/${pageruleID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(params, options) {
			const { zone_id, ...query } = params;
			return this._client.get(path`/zones/${zone_id}/pagerules`, {
				query,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		delete(pageruleID, params, options) {
			const { zone_id } = params;
			return this._client.delete(path`/zones/${zone_id}/pagerules/${pageruleID}`, options)._thenUnwrap((obj) => obj.result);
		}
		edit(pageruleID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/pagerules/${pageruleID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(pageruleID, params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/pagerules/${pageruleID}`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BasePageRules._key = Object.freeze(["pageRules"]);
	return BasePageRules;
})();
var PageRules = class extends BasePageRules {};
// node_modules/cloudflare/resources/ssl/verification.mjs
var BaseVerificationResource = (() => {
	class BaseVerificationResource extends APIResource {
		edit(certificatePackID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/ssl/verification/${certificatePackID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(params, options) {
			const { zone_id, ...query } = params;
			return this._client.get(path`/zones/${zone_id}/ssl/verification`, {
				query,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
	}
	BaseVerificationResource._key = Object.freeze(["ssl", "verification"]);
	return BaseVerificationResource;
})();
var VerificationResource = class extends BaseVerificationResource {};
// node_modules/cloudflare/resources/ssl/certificate-packs/certificate-packs.mjs
var BaseCertificatePacks = (() => {
	class BaseCertificatePacks extends APIResource {
		create(params, options) {
			const { zone_id, ...body } = params;
			return this._client.post(path`/zones/${zone_id}/ssl/certificate_packs/order`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(params, options) {
			const { zone_id, ...query } = params;
			return this._client.getAPIList(path`/zones/${zone_id}/ssl/certificate_packs`, V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(certificatePackID, params, options) {
			const { zone_id } = params;
			return this._client.delete(path`/zones/${zone_id}/ssl/certificate_packs/${certificatePackID}`, options)._thenUnwrap((obj) => obj.result);
		}
		edit(certificatePackID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/ssl/certificate_packs/${certificatePackID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(certificatePackID, params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/ssl/certificate_packs/${certificatePackID}`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseCertificatePacks._key = Object.freeze(["ssl", "certificatePacks"]);
	return BaseCertificatePacks;
})();
// node_modules/cloudflare/resources/ssl/universal/settings.mjs
var BaseSettings$1 = (() => {
	class BaseSettings extends APIResource {
		edit(params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/ssl/universal/settings`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/ssl/universal/settings`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseSettings._key = Object.freeze([
		"ssl",
		"universal",
		"settings"
	]);
	return BaseSettings;
})();
var Settings$1 = class extends BaseSettings$1 {};
// node_modules/cloudflare/resources/user/tokens/tokens.mjs
var BaseTokens = (() => {
	class BaseTokens extends APIResource {
		create(body, options) {
			return this._client.post("/user/tokens", {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		update(tokenID, body, options) {
			return this._client.put(path`/user/tokens/${tokenID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(query = {}, options) {
			return this._client.getAPIList("/user/tokens", V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(tokenID, options) {
			return this._client.delete(path`/user/tokens/${tokenID}`, options)._thenUnwrap((obj) => obj.result);
		}
		get(tokenID, options) {
			return this._client.get(path`/user/tokens/${tokenID}`, options)._thenUnwrap((obj) => obj.result);
		}
		verify(options) {
			return this._client.get("/user/tokens/verify", options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseTokens._key = Object.freeze(["user", "tokens"]);
	return BaseTokens;
})();
// node_modules/cloudflare/resources/user/user.mjs
var BaseUser = (() => {
	class BaseUser extends APIResource {
		edit(body, options) {
			return this._client.patch("/user", {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(options) {
			return this._client.get("/user", options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseUser._key = Object.freeze(["user"]);
	return BaseUser;
})();
// node_modules/cloudflare/resources/zones/activation-check.mjs
var BaseActivationCheck = (() => {
	class BaseActivationCheck extends APIResource {
		trigger(params, options) {
			const { zone_id } = params;
			return this._client.put(path`/zones/${zone_id}/activation_check`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseActivationCheck._key = Object.freeze(["zones", "activationCheck"]);
	return BaseActivationCheck;
})();
var ActivationCheck = class extends BaseActivationCheck {};
// node_modules/cloudflare/resources/zones/settings.mjs
var BaseSettings = (() => {
	class BaseSettings extends APIResource {
		edit(settingID, params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}/settings/${settingID}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(settingID, params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}/settings/${settingID}`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseSettings._key = Object.freeze(["zones", "settings"]);
	return BaseSettings;
})();
var Settings = class extends BaseSettings {};
// node_modules/cloudflare/resources/zones/zones.mjs
var BaseZones = (() => {
	class BaseZones extends APIResource {
		create(body, options) {
			return this._client.post("/zones", {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		list(query = {}, options) {
			return this._client.getAPIList("/zones", V4PagePaginationArray, {
				query,
				...options
			});
		}
		delete(params, options) {
			const { zone_id } = params;
			return this._client.delete(path`/zones/${zone_id}`, options)._thenUnwrap((obj) => obj.result);
		}
		edit(params, options) {
			const { zone_id, ...body } = params;
			return this._client.patch(path`/zones/${zone_id}`, {
				body,
				...options
			})._thenUnwrap((obj) => obj.result);
		}
		get(params, options) {
			const { zone_id } = params;
			return this._client.get(path`/zones/${zone_id}`, options)._thenUnwrap((obj) => obj.result);
		}
	}
	BaseZones._key = Object.freeze(["zones"]);
	return BaseZones;
})();
// node_modules/cloudflare/internal/utils/env.mjs
var readEnv = (env) => {
	if (typeof globalThis.process !== "undefined") return globalThis.process.env?.[env]?.trim() || void 0;
	if (typeof globalThis.Deno !== "undefined") return globalThis.Deno.env?.get?.(env)?.trim() || void 0;
};
// node_modules/cloudflare/client.mjs
var _BaseCloudflare_instances;
var _BaseCloudflare_encoder;
var _BaseCloudflare_baseURLOverridden;
var BaseCloudflare = (() => {
	class BaseCloudflare {
		constructor({ baseURL = readEnv("CLOUDFLARE_BASE_URL"), apiVersion = null, apiToken = readEnv("CLOUDFLARE_API_TOKEN") ?? null, apiKey = readEnv("CLOUDFLARE_API_KEY") ?? null, apiEmail = readEnv("CLOUDFLARE_EMAIL") ?? null, userServiceKey = readEnv("CLOUDFLARE_API_USER_SERVICE_KEY") ?? null, ...opts } = {}) {
			_BaseCloudflare_instances.add(this);
			_BaseCloudflare_encoder.set(this, void 0);
			const options = {
				apiToken,
				apiKey,
				apiEmail,
				userServiceKey,
				...opts,
				baseURL: baseURL || `https://api.cloudflare.com/client/v4`,
				apiVersion: apiVersion || new Date().toISOString().slice(0, 10)
			};
			this.baseURL = options.baseURL;
			this.timeout = options.timeout ?? BaseCloudflare.DEFAULT_TIMEOUT;
			this.logger = options.logger ?? console;
			const defaultLogLevel = "warn";
			this.logLevel = defaultLogLevel;
			this.logLevel = parseLogLevel(options.logLevel, "ClientOptions.logLevel", this) ?? parseLogLevel(readEnv("CLOUDFLARE_LOG"), "process.env['CLOUDFLARE_LOG']", this) ?? defaultLogLevel;
			this.fetchOptions = options.fetchOptions;
			this.maxRetries = options.maxRetries ?? 2;
			this.fetch = options.fetch ?? getDefaultFetch();
			__classPrivateFieldSet(this, _BaseCloudflare_encoder, FallbackEncoder, "f");
			const customHeadersEnv = readEnv("CLOUDFLARE_CUSTOM_HEADERS");
			if (customHeadersEnv) {
				const parsed = {};
				for (const line of customHeadersEnv.split("\n")) {
					const colon = line.indexOf(":");
					if (colon >= 0) parsed[line.substring(0, colon).trim()] = line.substring(colon + 1).trim();
				}
				options.defaultHeaders = {
					...parsed,
					...options.defaultHeaders
				};
			}
			this._options = options;
			this.apiToken = apiToken;
			this.apiKey = apiKey;
			this.apiEmail = apiEmail;
			this.userServiceKey = userServiceKey;
			this.apiVersion = options.apiVersion;
		}
		withOptions(options) {
			return new this.constructor({
				...this._options,
				baseURL: this.baseURL,
				maxRetries: this.maxRetries,
				timeout: this.timeout,
				logger: this.logger,
				logLevel: this.logLevel,
				fetch: this.fetch,
				fetchOptions: this.fetchOptions,
				apiToken: this.apiToken,
				apiKey: this.apiKey,
				apiEmail: this.apiEmail,
				userServiceKey: this.userServiceKey,
				apiVersion: this.apiVersion,
				...options
			});
		}
		defaultQuery() {
			return this._options.defaultQuery;
		}
		validateHeaders({ values, nulls }) {
			if (this.apiEmail && values.get("x-auth-email")) return;
			if (nulls.has("x-auth-email")) return;
			if (this.apiKey && values.get("x-auth-key")) return;
			if (nulls.has("x-auth-key")) return;
			if (this.apiToken && values.get("authorization")) return;
			if (nulls.has("authorization")) return;
			if (this.userServiceKey && values.get("x-auth-user-service-key")) return;
			if (nulls.has("x-auth-user-service-key")) return;
			throw new Error("Could not resolve authentication method. Expected one of apiEmail, apiKey, apiToken or userServiceKey to be set. Or for one of the \"X-Auth-Email\", \"X-Auth-Key\", \"Authorization\" or \"X-Auth-User-Service-Key\" headers to be explicitly omitted");
		}
		async authHeaders(opts) {
			return buildHeaders([
				await this.apiEmailAuth(opts),
				await this.apiKeyAuth(opts),
				await this.apiTokenAuth(opts),
				await this.userServiceKeyAuth(opts)
			]);
		}
		async apiEmailAuth(opts) {
			if (this.apiEmail == null) return;
			return buildHeaders([{ "X-Auth-Email": this.apiEmail }]);
		}
		async apiKeyAuth(opts) {
			if (this.apiKey == null) return;
			return buildHeaders([{ "X-Auth-Key": this.apiKey }]);
		}
		async apiTokenAuth(opts) {
			if (this.apiToken == null) return;
			return buildHeaders([{ Authorization: `Bearer ${this.apiToken}` }]);
		}
		async userServiceKeyAuth(opts) {
			if (this.userServiceKey == null) return;
			return buildHeaders([{ "X-Auth-User-Service-Key": this.userServiceKey }]);
		}
		stringifyQuery(query) {
			return stringifyQuery(query);
		}
		getUserAgent() {
			return `${this.constructor.name}/JS ${VERSION}`;
		}
		defaultIdempotencyKey() {
			return `stainless-node-retry-${uuid4()}`;
		}
		makeStatusError(status, error, message, headers) {
			return APIError.generate(status, error, message, headers);
		}
		buildURL(path, query, defaultBaseURL) {
			const baseURL = !__classPrivateFieldGet(this, _BaseCloudflare_instances, "m", _BaseCloudflare_baseURLOverridden).call(this) && defaultBaseURL || this.baseURL;
			const url = isAbsoluteURL(path) ? new URL(path) : new URL(baseURL + (baseURL.endsWith("/") && path.startsWith("/") ? path.slice(1) : path));
			const defaultQuery = this.defaultQuery();
			const pathQuery = Object.fromEntries(url.searchParams);
			if (!isEmptyObj(defaultQuery) || !isEmptyObj(pathQuery)) query = {
				...pathQuery,
				...defaultQuery,
				...query
			};
			if (typeof query === "object" && query && !Array.isArray(query)) url.search = this.stringifyQuery(query);
			return url.toString();
		}
		async prepareOptions(options) {}
		async prepareRequest(request, { url, options }) {}
		get(path, opts) {
			return this.methodRequest("get", path, opts);
		}
		post(path, opts) {
			return this.methodRequest("post", path, opts);
		}
		patch(path, opts) {
			return this.methodRequest("patch", path, opts);
		}
		put(path, opts) {
			return this.methodRequest("put", path, opts);
		}
		delete(path, opts) {
			return this.methodRequest("delete", path, opts);
		}
		methodRequest(method, path, opts) {
			return this.request(Promise.resolve(opts).then((opts) => {
				return {
					method,
					path,
					...opts
				};
			}));
		}
		request(options, remainingRetries = null) {
			return new APIPromise(this, this.makeRequest(options, remainingRetries, void 0));
		}
		async makeRequest(optionsInput, retriesRemaining, retryOfRequestLogID) {
			const options = await optionsInput;
			const maxRetries = options.maxRetries ?? this.maxRetries;
			if (retriesRemaining == null) retriesRemaining = maxRetries;
			await this.prepareOptions(options);
			const { req, url, timeout } = await this.buildRequest(options, { retryCount: maxRetries - retriesRemaining });
			await this.prepareRequest(req, {
				url,
				options
			});
			const requestLogID = "log_" + (Math.random() * (1 << 24) | 0).toString(16).padStart(6, "0");
			const retryLogStr = retryOfRequestLogID === void 0 ? "" : `, retryOf: ${retryOfRequestLogID}`;
			const startTime = Date.now();
			loggerFor(this).debug(`[${requestLogID}] sending request`, formatRequestDetails({
				retryOfRequestLogID,
				method: options.method,
				url,
				options,
				headers: req.headers
			}));
			if (options.signal?.aborted) throw new APIUserAbortError();
			const controller = new AbortController();
			const response = await this.fetchWithTimeout(url, req, timeout, controller).catch(castToError);
			const headersTime = Date.now();
			if (response instanceof globalThis.Error) {
				const retryMessage = `retrying, ${retriesRemaining} attempts remaining`;
				if (options.signal?.aborted) throw new APIUserAbortError();
				const isTimeout = isAbortError(response) || /timed? ?out/i.test(String(response) + ("cause" in response ? String(response.cause) : ""));
				if (retriesRemaining) {
					loggerFor(this).info(`[${requestLogID}] connection ${isTimeout ? "timed out" : "failed"} - ${retryMessage}`);
					loggerFor(this).debug(`[${requestLogID}] connection ${isTimeout ? "timed out" : "failed"} (${retryMessage})`, formatRequestDetails({
						retryOfRequestLogID,
						url,
						durationMs: headersTime - startTime,
						message: response.message
					}));
					return this.retryRequest(options, retriesRemaining, retryOfRequestLogID ?? requestLogID);
				}
				loggerFor(this).info(`[${requestLogID}] connection ${isTimeout ? "timed out" : "failed"} - error; no more retries left`);
				loggerFor(this).debug(`[${requestLogID}] connection ${isTimeout ? "timed out" : "failed"} (error; no more retries left)`, formatRequestDetails({
					retryOfRequestLogID,
					url,
					durationMs: headersTime - startTime,
					message: response.message
				}));
				if (isTimeout) throw new APIConnectionTimeoutError();
				throw new APIConnectionError({ cause: response });
			}
			const responseInfo = `[${requestLogID}${retryLogStr}] ${req.method} ${url} ${response.ok ? "succeeded" : "failed"} with status ${response.status} in ${headersTime - startTime}ms`;
			if (!response.ok) {
				const shouldRetry = await this.shouldRetry(response);
				if (retriesRemaining && shouldRetry) {
					const retryMessage = `retrying, ${retriesRemaining} attempts remaining`;
					await CancelReadableStream(response.body);
					loggerFor(this).info(`${responseInfo} - ${retryMessage}`);
					loggerFor(this).debug(`[${requestLogID}] response error (${retryMessage})`, formatRequestDetails({
						retryOfRequestLogID,
						url: response.url,
						status: response.status,
						headers: response.headers,
						durationMs: headersTime - startTime
					}));
					return this.retryRequest(options, retriesRemaining, retryOfRequestLogID ?? requestLogID, response.headers);
				}
				const retryMessage = shouldRetry ? `error; no more retries left` : `error; not retryable`;
				loggerFor(this).info(`${responseInfo} - ${retryMessage}`);
				const errText = await response.text().catch((err) => castToError(err).message);
				const errJSON = safeJSON(errText);
				const errMessage = errJSON ? void 0 : errText;
				loggerFor(this).debug(`[${requestLogID}] response error (${retryMessage})`, formatRequestDetails({
					retryOfRequestLogID,
					url: response.url,
					status: response.status,
					headers: response.headers,
					message: errMessage,
					durationMs: Date.now() - startTime
				}));
				throw this.makeStatusError(response.status, errJSON, errMessage, response.headers);
			}
			loggerFor(this).info(responseInfo);
			loggerFor(this).debug(`[${requestLogID}] response start`, formatRequestDetails({
				retryOfRequestLogID,
				url: response.url,
				status: response.status,
				headers: response.headers,
				durationMs: headersTime - startTime
			}));
			return {
				response,
				options,
				controller,
				requestLogID,
				retryOfRequestLogID,
				startTime
			};
		}
		getAPIList(path, Page, opts) {
			return this.requestAPIList(Page, opts && "then" in opts ? opts.then((opts) => ({
				method: "get",
				path,
				...opts
			})) : {
				method: "get",
				path,
				...opts
			});
		}
		requestAPIList(Page, options) {
			const request = this.makeRequest(options, null, void 0);
			return new PagePromise(this, request, Page);
		}
		async fetchWithTimeout(url, init, ms, controller) {
			const { signal, method, ...options } = init || {};
			const abort = this._makeAbort(controller);
			if (signal) signal.addEventListener("abort", abort, { once: true });
			const timeout = setTimeout(abort, ms);
			const isReadableBody = globalThis.ReadableStream && options.body instanceof globalThis.ReadableStream || typeof options.body === "object" && options.body !== null && Symbol.asyncIterator in options.body;
			const fetchOptions = {
				signal: controller.signal,
				...isReadableBody ? { duplex: "half" } : {},
				method: "GET",
				...options
			};
			if (method) fetchOptions.method = method.toUpperCase();
			try {
				return await this.fetch.call(void 0, url, fetchOptions);
			} finally {
				clearTimeout(timeout);
			}
		}
		async shouldRetry(response) {
			const shouldRetryHeader = response.headers.get("x-should-retry");
			if (shouldRetryHeader === "true") return true;
			if (shouldRetryHeader === "false") return false;
			if (response.status === 408) return true;
			if (response.status === 409) return true;
			if (response.status === 429) return true;
			if (response.status >= 500) return true;
			return false;
		}
		async retryRequest(options, retriesRemaining, requestLogID, responseHeaders) {
			let timeoutMillis;
			const retryAfterMillisHeader = responseHeaders?.get("retry-after-ms");
			if (retryAfterMillisHeader) {
				const timeoutMs = parseFloat(retryAfterMillisHeader);
				if (!Number.isNaN(timeoutMs)) timeoutMillis = timeoutMs;
			}
			const retryAfterHeader = responseHeaders?.get("retry-after");
			if (retryAfterHeader && !timeoutMillis) {
				const timeoutSeconds = parseFloat(retryAfterHeader);
				if (!Number.isNaN(timeoutSeconds)) timeoutMillis = timeoutSeconds * 1e3;
				else timeoutMillis = Date.parse(retryAfterHeader) - Date.now();
			}
			if (timeoutMillis === void 0) {
				const maxRetries = options.maxRetries ?? this.maxRetries;
				timeoutMillis = this.calculateDefaultRetryTimeoutMillis(retriesRemaining, maxRetries);
			}
			await sleep(timeoutMillis);
			return this.makeRequest(options, retriesRemaining - 1, requestLogID);
		}
		calculateDefaultRetryTimeoutMillis(retriesRemaining, maxRetries) {
			const initialRetryDelay = .5;
			const maxRetryDelay = 8;
			const numRetries = maxRetries - retriesRemaining;
			return Math.min(initialRetryDelay * Math.pow(2, numRetries), maxRetryDelay) * (1 - Math.random() * .25) * 1e3;
		}
		async buildRequest(inputOptions, { retryCount = 0 } = {}) {
			const options = { ...inputOptions };
			const { method, path, query, defaultBaseURL } = options;
			const url = this.buildURL(path, query, defaultBaseURL);
			if ("timeout" in options) validatePositiveInteger("timeout", options.timeout);
			options.timeout = options.timeout ?? this.timeout;
			const { bodyHeaders, body } = this.buildBody({ options });
			return {
				req: {
					method,
					headers: await this.buildHeaders({
						options: inputOptions,
						method,
						bodyHeaders,
						retryCount
					}),
					...options.signal && { signal: options.signal },
					...globalThis.ReadableStream && body instanceof globalThis.ReadableStream && { duplex: "half" },
					...body && { body },
					...this.fetchOptions ?? {},
					...options.fetchOptions ?? {}
				},
				url,
				timeout: options.timeout
			};
		}
		async buildHeaders({ options, method, bodyHeaders, retryCount }) {
			let idempotencyHeaders = {};
			if (this.idempotencyHeader && method !== "get") {
				if (!options.idempotencyKey) options.idempotencyKey = this.defaultIdempotencyKey();
				idempotencyHeaders[this.idempotencyHeader] = options.idempotencyKey;
			}
			const headers = buildHeaders([
				idempotencyHeaders,
				{
					Accept: "application/json",
					"User-Agent": this.getUserAgent(),
					"api-version": this.apiVersion,
					"X-Stainless-Retry-Count": String(retryCount),
					...options.timeout ? { "X-Stainless-Timeout": String(Math.trunc(options.timeout / 1e3)) } : {},
					...getPlatformHeaders(),
					"X-Auth-Key": this.apiKey,
					"X-Auth-Email": this.apiEmail
				},
				await this.authHeaders(options),
				this._options.defaultHeaders,
				bodyHeaders,
				options.headers
			]);
			this.validateHeaders(headers);
			return headers.values;
		}
		_makeAbort(controller) {
			return () => controller.abort();
		}
		buildBody({ options }) {
			const { body, headers: rawHeaders } = options;
			if (!body) {
				if (body == null && "body" in options) return __classPrivateFieldGet(this, _BaseCloudflare_encoder, "f").call(this, {
					body,
					headers: buildHeaders([rawHeaders])
				});
				return {
					bodyHeaders: void 0,
					body: void 0
				};
			}
			const headers = buildHeaders([rawHeaders]);
			if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer || body instanceof DataView || typeof body === "string" && headers.values.has("content-type") || globalThis.Blob && body instanceof globalThis.Blob || body instanceof FormData || body instanceof URLSearchParams || globalThis.ReadableStream && body instanceof globalThis.ReadableStream) return {
				bodyHeaders: void 0,
				body
			};
			else if (typeof body === "object" && (Symbol.asyncIterator in body || Symbol.iterator in body && "next" in body && typeof body.next === "function")) return {
				bodyHeaders: void 0,
				body: ReadableStreamFrom(body)
			};
			else if (typeof body === "object" && headers.values.get("content-type") === "application/x-www-form-urlencoded") return {
				bodyHeaders: { "content-type": "application/x-www-form-urlencoded" },
				body: this.stringifyQuery(body)
			};
			else return __classPrivateFieldGet(this, _BaseCloudflare_encoder, "f").call(this, {
				body,
				headers
			});
		}
	}
	_BaseCloudflare_encoder = new WeakMap(), _BaseCloudflare_instances = new WeakSet(), _BaseCloudflare_baseURLOverridden = function _BaseCloudflare_baseURLOverridden() {
		return this.baseURL !== "https://api.cloudflare.com/client/v4";
	};
	BaseCloudflare.DEFAULT_TIMEOUT = 6e4;
	return BaseCloudflare;
})();
// node_modules/cloudflare/tree-shakable.mjs
function createClient(options) {
	const client = new BaseCloudflare(options);
	for (const ResourceClass of options.resources) {
		const resourceInstance = new ResourceClass(client);
		let object = client;
		for (const part of ResourceClass._key.slice(0, -1)) if (hasOwn(object, part)) object = object[part];
		else Object.defineProperty(object, part, {
			value: object = {},
			configurable: true,
			enumerable: true,
			writable: true
		});
		const name = ResourceClass._key.at(-1);
		if (!hasOwn(object, name)) Object.defineProperty(object, name, {
			value: resourceInstance,
			configurable: true,
			enumerable: true,
			writable: true
		});
		else if (object[name] instanceof APIResource) throw new TypeError(`Resource at ${ResourceClass._key.join(".")} already exists!`);
		else object[name] = Object.assign(resourceInstance, object[name]);
	}
	return client;
}
// ../../../zonedeck-extract-2HPDQq/entry.js
var createOfficialClient = (options) => createClient({
	...options,
	resources: [
		BaseZones,
		Settings,
		ActivationCheck,
		Records,
		Zone,
		BaseCertificatePacks,
		Settings$1,
		VerificationResource,
		BaseCache,
		BaseAccounts,
		BaseTokens$1,
		BaseUser,
		BaseTokens,
		PageRules
	]
});
export { NotFoundError, PermissionDeniedError, RateLimitError, createOfficialClient };
